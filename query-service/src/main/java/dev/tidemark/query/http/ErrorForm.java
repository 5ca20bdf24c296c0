package dev.tidemark.query.http;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.PartitionMovedException;
import dev.tidemark.query.json.JsonWriter;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/** The wire form of failures, and which failure a foreign exception is. */
public final class ErrorForm {

    private static final String UNKNOWN_FAILURE =
            "The request processing has failed because of an unknown error, exception or failure.";

    private ErrorForm() {}

    /** Returns what the caller is told of {@code failure}. */
    public static ApiException apiException(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ApiException known) {
            return known;
        }
        if (cause instanceof PartitionMovedException) {
            return new ApiException(
                    ApiError.SERVICE_UNAVAILABLE,
                    "The partition is moving to another node; try again.");
        }
        if (cause instanceof RejectedExecutionException) {
            return overloaded();
        }
        return new ApiException(ApiError.INTERNAL, UNKNOWN_FAILURE);
    }

    /** Returns whether {@code failure} is none a caller can bring about: somebody should look. */
    static boolean isUnexpected(Throwable failure) {
        ApiException shown = apiException(failure);
        return shown.error() == ApiError.INTERNAL && shown.text().equals(UNKNOWN_FAILURE);
    }

    static ApiException overloaded() {
        return new ApiException(
                ApiError.THROTTLING, "Too many requests are under way on this node; try again.");
    }

    static ApiException tooLate() {
        return new ApiException(
                ApiError.INTERNAL,
                "The request did not complete in time; a write may have been applied or not.");
    }

    static JsonWriter write(ApiException failure) {
        JsonWriter out = new JsonWriter(256);
        out.beginObject().member("__type", failure.error().wireName());
        if (!failure.text().isEmpty()) {
            // the capital letter is DynamoDB's
            out.member(
                    failure.error() == ApiError.SERIALIZATION ? "Message" : "message",
                    failure.text());
        }
        failure.item().ifPresent(item -> out.name("Item").item(item));
        failure.throttlingReason()
                .ifPresent(
                        reason ->
                                out.name(reasonsName(failure.error()))
                                        .beginArray()
                                        .beginObject()
                                        .member("reason", reason.reason())
                                        .member("resource", reason.resource())
                                        .endObject()
                                        .endArray());
        return out.endObject();
    }

    /** Returns the name of the reasons of an error; it differs, as Amazon's does. */
    public static String reasonsName(ApiError error) {
        return error == ApiError.THROUGHPUT_EXCEEDED ? "ThrottlingReasons" : "throttlingReasons";
    }
}
