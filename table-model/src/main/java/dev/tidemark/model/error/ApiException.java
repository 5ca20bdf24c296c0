package dev.tidemark.model.error;

import dev.tidemark.model.item.Item;
import java.util.Optional;

/** A request that can't be answered as asked; carries what the caller is told. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ApiError error;
    private final transient Optional<Item> item;
    private final transient Optional<ThrottlingReason> throttlingReason;

    public ApiException(ApiError error, String message) {
        this(error, message, Optional.empty());
    }

    /**
     * Makes an exception that also shows the stored item, as a failed condition may be asked to.
     */
    public ApiException(ApiError error, String message, Optional<Item> item) {
        this(error, message, item, Optional.empty());
    }

    /** Makes an exception that also tells why a request was throttled. */
    public ApiException(ApiError error, String message, ThrottlingReason reason) {
        this(error, message, Optional.empty(), Optional.of(reason));
    }

    private ApiException(
            ApiError error,
            String message,
            Optional<Item> item,
            Optional<ThrottlingReason> throttlingReason) {
        super(message, null, false, false);
        this.error = error;
        this.item = item;
        this.throttlingReason = throttlingReason;
    }

    /** Returns a ValidationException with this text. */
    public static ApiException validation(String message) {
        return new ApiException(ApiError.VALIDATION, message);
    }

    public ApiError error() {
        return error;
    }

    /** Returns the message, which is never null. */
    public String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }

    /** Returns the stored item to show beside the message, if any. */
    public Optional<Item> item() {
        return item;
    }

    /** Returns why the request was throttled, if it was and that is to be told. */
    public Optional<ThrottlingReason> throttlingReason() {
        return throttlingReason;
    }
}
