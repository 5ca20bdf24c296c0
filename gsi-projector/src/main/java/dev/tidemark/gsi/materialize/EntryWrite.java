package dev.tidemark.gsi.materialize;

import org.jspecify.annotations.Nullable;

/** One write to a store. Takes over its arrays. */
public final class EntryWrite {

    private final byte[] key;
    private final byte @Nullable [] value;

    /** Makes a write of {@code value} under {@code key}; null removes what is there. */
    public EntryWrite(byte[] key, byte @Nullable [] value) {
        this.key = key;
        this.value = value;
    }

    public byte[] key() {
        return key;
    }

    /** Returns the value, or null to remove what is there. */
    public byte @Nullable [] value() {
        return value;
    }
}
