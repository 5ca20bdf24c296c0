package dev.tidemark.query.http;

import java.util.concurrent.CompletionStage;

/** What a front end does for one name in {@code X-Amz-Target}. Thread-safe. */
@FunctionalInterface
public interface Operation {

    /**
     * Answers {@code request} without blocking the calling thread.
     *
     * <p>Expected failures are {@link dev.tidemark.model.error.ApiException}, thrown or as the
     * stage's failure. The stage may complete on any thread.
     */
    CompletionStage<Reply> execute(Request request);
}
