package dev.tidemark.query.record;

/** A record of one of the product's own topics that does not say what it must. */
public final class InvalidRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidRecordException(String message) {
        super(message);
    }

    public InvalidRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
