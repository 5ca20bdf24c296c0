package dev.tidemark.model.progress;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The tidemarks of one partition of a global index on this node: for each partition of the table,
 * the last change it has applied. The index task is its only writer; any thread may read.
 */
public final class IndexProgress {

    private final IndexId index;
    private final int partition;
    private final Watermark[] tidemarks;
    private final AtomicLongArray times;
    private volatile boolean open = true;

    /**
     * Makes the progress of a task that is ready to go on.
     *
     * @param sequences the tidemarks so far, by partition of the table
     * @param times when the changes at the tidemarks happened, in epoch milliseconds; 0 if none was
     *     applied
     */
    public IndexProgress(IndexId index, int partition, long[] sequences, long[] times) {
        this.index = index;
        this.partition = partition;
        this.tidemarks = new Watermark[sequences.length];
        for (int at = 0; at < sequences.length; at++) {
            this.tidemarks[at] = new Watermark(sequences[at]);
        }
        this.times = new AtomicLongArray(times);
    }

    public IndexId index() {
        return index;
    }

    public int partition() {
        return partition;
    }

    /** Returns the number of partitions of the table. */
    public int basePartitions() {
        return tidemarks.length;
    }

    /** Returns the tidemark for one partition of the table. */
    public Watermark tidemark(int basePartition) {
        return tidemarks[basePartition];
    }

    /**
     * Returns when the change at the tidemark happened, in epoch milliseconds; 0 if none was
     * applied.
     */
    public long timeOf(int basePartition) {
        return times.get(basePartition);
    }

    /** Returns whether the task still runs here. */
    public boolean isOpen() {
        return open;
    }

    /** Says that the change with this sequence, and all before it, are in the index. */
    public void appliedUpTo(int basePartition, long sequence, long timeMillis) {
        if (sequence >= tidemarks[basePartition].value()) {
            times.set(basePartition, timeMillis);
        }
        tidemarks[basePartition].advance(sequence);
    }

    /**
     * Says that the task has left this node; fails all who wait. The last tidemarks stay readable.
     */
    public void close() {
        open = false;
        for (Watermark tidemark : tidemarks) {
            tidemark.close();
        }
    }
}
