package dev.tidemark.ingest;

/** Kafka did not make or remove a table's topics; asking again does no harm. */
public final class TopicsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TopicsException(String message) {
        super(message);
    }

    public TopicsException(String message, Throwable cause) {
        super(message, cause);
    }
}
