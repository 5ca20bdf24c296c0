package dev.tidemark.model.item;

/**
 * Text that is no DynamoDB number, or a number outside DynamoDB's range; the message is DynamoDB's
 * own.
 */
public final class InvalidNumberException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidNumberException(String message) {
        super(message);
    }
}
