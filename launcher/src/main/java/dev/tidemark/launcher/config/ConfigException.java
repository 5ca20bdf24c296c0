package dev.tidemark.launcher.config;

/** A setting that can't be used; the message says which, where it came from and what would do. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
