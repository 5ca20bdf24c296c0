package dev.tidemark.query.read;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;

/** What callers are told when a partition can't answer. All of it is retryable. */
final class Texts {

    private Texts() {}

    static ApiException notHere() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The partition is moving or restoring and can't be read now; try again.");
    }

    static ApiException behind() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The partition has not yet applied all writes that this read must see; try again.");
    }

    static ApiException noLogEnd() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The end of the table's log can't be told now; try again.");
    }

    static ApiException stale() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The index has not yet applied the changes that this read must see; try again.");
    }
}
