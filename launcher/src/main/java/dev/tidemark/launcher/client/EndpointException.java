package dev.tidemark.launcher.client;

import java.net.URI;

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

    /** Returns the failure of a server that takes nothing of a batch, again and again. */
    public static EndpointException overloaded(URI server) {
        return new EndpointException(
                "Overloaded", "The server at " + server + " takes no more writes", true);
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
