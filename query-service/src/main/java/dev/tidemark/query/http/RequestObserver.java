package dev.tidemark.query.http;

import dev.tidemark.model.error.ApiError;
import java.util.Optional;

/** Is told of every request that was answered; on an event loop, so it must not block or fail. */
@FunctionalInterface
public interface RequestObserver {

    RequestObserver NONE = (operation, error, nanos) -> {};

    /**
     * Takes what became of one request.
     *
     * @param operation the operation's name, or {@code unknown}
     * @param error what it failed with, if it failed
     * @param nanos how long it took from its headers to its reply
     */
    void answered(String operation, Optional<ApiError> error, long nanos);
}
