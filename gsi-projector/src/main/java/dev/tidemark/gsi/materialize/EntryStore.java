package dev.tidemark.gsi.materialize;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The store of one partition of an index: its entries and, beside them, its tidemarks. */
public interface EntryStore {

    /** Returns the value under {@code key}, or null if there is none. */
    byte @Nullable [] get(byte[] key);

    /**
     * Writes in the order given: the local store all at once, what it is restored from one after
     * another.
     */
    void putAll(List<EntryWrite> writes);
}
