package dev.tidemark.wire.registry;

/** A schema registry did not answer, or refused what it was asked; says nothing about records. */
public final class RegistryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RegistryException(String message) {
        super(message);
    }

    public RegistryException(String message, Throwable cause) {
        super(message, cause);
    }
}
