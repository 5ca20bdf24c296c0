package dev.tidemark.launcher.client;

/**
 * A request that a server refused or could not be asked; the message is the server's own where
 * there is one.
 */
public final class EndpointException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;
    private final boolean retryable;

    EndpointException(String type, String message, boolean retryable) {
        super(message);
        this.type = type;
        this.retryable = retryable;
    }

    /** Returns the name of the error, such as {@code ValidationException}. */
    public String type() {
        return type;
    }

    /** Returns whether the same request may succeed later. */
    public boolean isRetryable() {
        return retryable;
    }
}
