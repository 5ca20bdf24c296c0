package dev.tidemark.model.table;

/** Where a global index is in its life. */
public enum IndexStatus {
    /** Existing items are still being indexed; queries are refused. */
    CREATING,
    ACTIVE,
    /** The stores and topics are being removed; the name is not yet free. */
    DELETING;

    /** Returns whether changes of the table are applied to the index. */
    public boolean isMaintained() {
        return this != DELETING;
    }

    /** Returns whether queries may read the index. */
    public boolean isReadable() {
        return this == ACTIVE;
    }
}
