package dev.tidemark.model.progress;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far this node has projected the changes of one partition of a table into one index, and what
 * became of their items. The projecting task is its only writer; any thread may read.
 */
public final class ProjectionProgress {

    private static final long UNKNOWN = -1;

    private final IndexId index;
    private final int basePartition;
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final boolean listed;
    private volatile boolean open = true;

    /**
     * Makes the progress of a task that is ready to go on.
     *
     * @param counts what it has counted so far
     */
    public ProjectionProgress(IndexId index, int basePartition, ProjectionCounts counts) {
        this.index = index;
        this.basePartition = basePartition;
        this.listed = counts.isListed();
        projectedUpTo(
                counts.sequence(),
                counts.changes(),
                counts.entries().orElse(UNKNOWN),
                counts.skipped());
    }

    public IndexId index() {
        return index;
    }

    /** Returns the partition of the table whose changes these are. */
    public int basePartition() {
        return basePartition;
    }

    /** Returns whether the task still runs here. */
    public boolean isOpen() {
        return open;
    }

    /**
     * Says how far the task has come, and what it has counted up to there.
     *
     * @param entryCount negative if not known
     */
    public void projectedUpTo(
            long lastSequence, long changeCount, long entryCount, long skippedCount) {
        // all of one writer, and nobody waits for it: no need to make each seen at once
        changes.lazySet(changeCount);
        entries.lazySet(entryCount);
        skipped.lazySet(skippedCount);
        sequence.lazySet(lastSequence);
    }

    /** Returns what is counted; while changes come, one number may be a change behind another. */
    public ProjectionCounts counts() {
        long entryCount = entries.get();
        return new ProjectionCounts(
                sequence.get(),
                changes.get(),
                entryCount < 0 ? OptionalLong.empty() : OptionalLong.of(entryCount),
                skipped.get(),
                listed);
    }

    /** Says that the task has left this node; what it counted stays readable. */
    public void close() {
        open = false;
    }
}
