package dev.tidemark.launcher.node;

/** A node that can't start; the message tells its operator why and what to do. */
public final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
