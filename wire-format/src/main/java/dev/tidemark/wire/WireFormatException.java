package dev.tidemark.wire;

/**
 * Bytes are not what they should be. The text is constant for each way of being wrong, apart from
 * the reason an unreadable schema is given; the bytes stay out of it.
 */
public final class WireFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message, null, false, false);
    }

    /** Returns the message, which is never null. */
    public String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
