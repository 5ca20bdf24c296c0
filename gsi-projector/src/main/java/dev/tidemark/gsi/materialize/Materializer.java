package dev.tidemark.gsi.materialize;

import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.wire.RawIndexUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies updates to one partition of an index and keeps its tidemarks. Not thread-safe.
 *
 * <p>Updates may come again, in the order they were first sent; the outcome is that of each coming
 * once.
 */
public final class Materializer {

    /*
     * The rule: apply an update iff its sequence is at least the highest one applied from its partition
     * of the table; that number, the tidemark, is kept in the same store as the entries and written after
     * them. A mark is an update without writes.
     *
     * Why it is exact: a partition of the index sees one history of each partition of the table, possibly
     * with stretches of it repeated. A repeat below the tidemark is skipped: all it did is in the store or
     * overtaken there. The update at the tidemark may be applied again, which changes nothing.
     *
     * Recovery: the changelog holds the same writes in the same order, so what a crash leaves of it is a
     * prefix: entries without their tidemark, never a tidemark without its entries. The updates after that
     * tidemark are read again and complete it. The local store must not be ahead of that prefix, or the
     * rule would keep from the changelog what only the store has: hence transactional stores, whose
     * writes come after the changelog's.
     *
     * A rule that trusts only marks, which trail the updates they cover, is wrong: after a crash it lets
     * an old update through that a newer one, already in the store, has overtaken.
     */

    private static final int TIDEMARKS = 1;

    private final EntryStore store;
    private final long[] tidemarks;
    private final long[] times;
    private final byte[][] tidemarkKeys;

    /**
     * Makes a materializer that goes on from what is in {@code store}.
     *
     * @param basePartitions the number of partitions of the table
     */
    public Materializer(EntryStore store, int basePartitions) {
        this.store = store;
        this.tidemarks = new long[basePartitions];
        this.times = new long[basePartitions];
        this.tidemarkKeys = new byte[basePartitions][];
        for (int base = 0; base < basePartitions; base++) {
            tidemarkKeys[base] = tidemarkKey(base);
            byte[] stored = store.get(tidemarkKeys[base]);
            if (stored != null) {
                ByteBuffer value = ByteBuffer.wrap(stored);
                tidemarks[base] = value.getLong();
                times[base] = value.getLong();
            }
        }
    }

    /** Returns the key under which the tidemark for a partition of the table is stored. */
    public static byte[] tidemarkKey(int basePartition) {
        return StorageKeys.metadata(TIDEMARKS, basePartition);
    }

    /** Applies {@code update} unless it is a repeat; returns whether it is applied now. */
    public boolean apply(RawIndexUpdate update) {
        int base = update.basePartition();
        long sequence = update.sequence();
        if (sequence < tidemarks[base] || (sequence == tidemarks[base] && update.isMark())) {
            return false;
        }
        List<EntryWrite> writes = new ArrayList<>(3);
        update.deleteKey().ifPresent(key -> writes.add(new EntryWrite(key, null)));
        update.putKey()
                .ifPresent(
                        key -> writes.add(new EntryWrite(key, update.storedItem().orElseThrow())));
        writes.add(new EntryWrite(tidemarkKeys[base], tidemark(sequence, update.timeMillis())));
        store.putAll(writes);
        tidemarks[base] = sequence;
        times[base] = update.timeMillis();
        return true;
    }

    /** Returns the tidemarks, by partition of the table; 0 where nothing is applied. */
    public long[] tidemarks() {
        return tidemarks.clone();
    }

    /**
     * Returns when the changes at the tidemarks happened, in epoch milliseconds, by partition of
     * the table; 0 where nothing is applied.
     */
    public long[] times() {
        return times.clone();
    }

    private static byte[] tidemark(long sequence, long timeMillis) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(sequence).putLong(timeMillis).array();
    }
}
