package dev.tidemark.gsi.projection;

import java.util.Map;

/** Changes are missing from a table's log, so an index that follows it can't be trusted. */
public final class ChangeGapException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Object> context;

    public ChangeGapException(String message, Map<String, Object> context) {
        super(message);
        this.context = Map.copyOf(context);
    }

    /** Returns where it happened. */
    public Map<String, Object> context() {
        return context;
    }
}
