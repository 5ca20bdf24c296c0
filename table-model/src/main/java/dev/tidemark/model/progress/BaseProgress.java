package dev.tidemark.model.progress;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.table.TableId;
import java.util.Optional;

/**
 * How far the task of one table partition on this node has come. The task is its only writer; any
 * thread may read.
 *
 * <p>Keeps the times of the last changes, so that the age of what an index has not applied is exact
 * while the index is no more than {@value #REMEMBERED} changes behind.
 */
public final class BaseProgress {

    /** How many changes' times are remembered. */
    public static final int REMEMBERED = 65_536;

    private final TableId table;
    private final int partition;
    private final Watermark applied;
    private final Watermark sequence;
    private final long firstSequence;
    private final long[] times = new long[REMEMBERED];
    private volatile boolean open = true;

    /**
     * Makes the progress of a task that is ready to go on.
     *
     * @param nextOffset the first offset of the write topic it has not applied
     * @param sequence the sequence of its last change
     */
    public BaseProgress(TableId table, int partition, long nextOffset, long sequence) {
        this.table = table;
        this.partition = partition;
        this.applied = new Watermark(nextOffset);
        this.sequence = new Watermark(sequence);
        this.firstSequence = sequence + 1;
    }

    public TableId table() {
        return table;
    }

    public int partition() {
        return partition;
    }

    /** Returns the mark of applied commands: the first offset not yet applied. */
    public Watermark applied() {
        return applied;
    }

    /** Returns the sequence of the last change. */
    public Watermark sequence() {
        return sequence;
    }

    public Position position() {
        return new Position(partition, sequence.value());
    }

    /** Returns whether the task still runs here. */
    public boolean isOpen() {
        return open;
    }

    /** Says that a change was made; called by the task before it tells the outcome. */
    public void changed(long newSequence, long timeMillis) {
        times[(int) (newSequence % REMEMBERED)] = timeMillis;
        sequence.advance(newSequence);
    }

    /** Says that everything below {@code nextOffset} is applied. */
    public void appliedUpTo(long nextOffset) {
        applied.advance(nextOffset);
    }

    /**
     * Returns when the change with this sequence happened, in epoch milliseconds, or empty if that
     * is forgotten.
     */
    public Optional<Long> timeOf(long changeSequence) {
        if (changeSequence < firstSequence || changeSequence > sequence.value()) {
            return Optional.empty();
        }
        long time = times[(int) (changeSequence % REMEMBERED)];
        // read again: the slot may have been taken by a later change meanwhile
        return sequence.value() - changeSequence < REMEMBERED
                ? Optional.of(time)
                : Optional.empty();
    }

    /** Says that the task has left this node; fails all who wait. */
    public void close() {
        open = false;
        applied.close();
        sequence.close();
    }
}
