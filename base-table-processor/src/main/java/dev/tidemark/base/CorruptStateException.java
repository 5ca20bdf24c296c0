package dev.tidemark.base;

import java.util.Map;
import java.util.TreeMap;

/** What a store holds contradicts what was put there: a broken promise, never to be passed over. */
public final class CorruptStateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Object> context;

    public CorruptStateException(String message, Map<String, ?> context) {
        super(message);
        this.context = new TreeMap<>(context);
    }

    public CorruptStateException(String message, Map<String, ?> context, Throwable cause) {
        super(message, cause);
        this.context = new TreeMap<>(context);
    }

    /** Returns what places the fault: never the values of items. */
    public Map<String, Object> context() {
        return context;
    }
}
