package dev.tidemark.kafka.embedded;

/** The embedded broker can't start; the message tells the operator what to change. */
public final class EmbeddedKafkaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedKafkaException(String message) {
        super(message);
    }

    EmbeddedKafkaException(String message, Throwable cause) {
        super(message + ": " + deepestMessage(cause), cause);
    }

    private static String deepestMessage(Throwable cause) {
        Throwable deepest = cause;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
    }
}
