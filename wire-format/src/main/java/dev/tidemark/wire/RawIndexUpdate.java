package dev.tidemark.wire;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an index update as they go to a store. The arrays are the caller's, to keep or
 * change.
 */
public final class RawIndexUpdate {

    private final int basePartition;
    private final long sequence;
    private final long timeMillis;
    private final byte @Nullable [] deleteKey;
    private final byte @Nullable [] putKey;
    private final byte @Nullable [] storedItem;

    RawIndexUpdate(
            int basePartition,
            long sequence,
            long timeMillis,
            byte @Nullable [] deleteKey,
            byte @Nullable [] putKey,
            byte @Nullable [] storedItem) {
        this.basePartition = basePartition;
        this.sequence = sequence;
        this.timeMillis = timeMillis;
        this.deleteKey = deleteKey;
        this.putKey = putKey;
        this.storedItem = storedItem;
    }

    /** Returns the partition of the table that the change is of. */
    public int basePartition() {
        return basePartition;
    }

    /** Returns the sequence of the change in that partition. */
    public long sequence() {
        return sequence;
    }

    /** Returns when the change happened, in milliseconds since 1970. */
    public long timeMillis() {
        return timeMillis;
    }

    /** Returns the storage key of the entry to remove, if any; it comes before the put. */
    public Optional<byte[]> deleteKey() {
        return Optional.ofNullable(deleteKey);
    }

    /** Returns the storage key of the entry to write, if any. */
    public Optional<byte[]> putKey() {
        return Optional.ofNullable(putKey);
    }

    /** Returns what the entry to write carries, in the stored form; present as its key is. */
    public Optional<byte[]> storedItem() {
        return Optional.ofNullable(storedItem);
    }

    /** Returns whether this says only how far the table has come. */
    public boolean isMark() {
        return deleteKey == null && putKey == null;
    }
}
