package dev.tidemark.gsi;

import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * How far a partition of a table is projected, and what was counted up to there: one row, so that
 * the numbers always belong together. Not thread-safe.
 */
final class Tally {

    /*
     * Format: sequence of the last change read, changes read, entries: 8 bytes each, big endian;
     * then one byte of flags: 1 if the entries are not known, 2 if violations are listed only from some
     * change on. A row of 8 bytes, the sequence alone, is of a version that neither counted nor listed;
     * its history was full, so it had read as many changes.
     *
     * Gaps: the first change of an item that is read from a compacted history may say how it was
     * before, when nothing of that was counted. Which changes are first is not known, so once changes
     * are missing, neither is the number of entries.
     */

    private static final int ENTRIES_UNKNOWN = 1;
    private static final int LISTED_LATE = 2;
    private static final int SIZE = 3 * Long.BYTES + 1;

    private long sequence;
    private long changes;
    private long entries;
    private int flags;

    /** Makes the tally of a task that begins: nothing is counted. */
    Tally() {}

    private Tally(ByteBuffer row) {
        sequence = row.getLong();
        if (row.hasRemaining()) {
            changes = row.getLong();
            entries = row.getLong();
            flags = row.get();
        } else {
            changes = sequence;
            flags = ENTRIES_UNKNOWN | LISTED_LATE;
        }
    }

    static Tally parse(byte[] row) {
        return new Tally(ByteBuffer.wrap(row));
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(SIZE)
                .putLong(sequence)
                .putLong(changes)
                .putLong(entries)
                .put((byte) flags)
                .array();
    }

    /** Returns the sequence of the last change that is counted; 0 if none is. */
    long sequence() {
        return sequence;
    }

    /** Counts the next change, which must be new. */
    void count(long changeSequence, int entriesAdded) {
        if (changeSequence != sequence + 1) {
            flags |= ENTRIES_UNKNOWN;
        }
        sequence = changeSequence;
        changes++;
        entries += entriesAdded;
    }

    /** Returns what is counted, with the number of items that are listed as skipped. */
    ProjectionCounts counts(long skipped) {
        return new ProjectionCounts(
                sequence,
                changes,
                areEntriesKnown() ? OptionalLong.of(entries) : OptionalLong.empty(),
                skipped,
                (flags & LISTED_LATE) == 0);
    }

    /** Tells {@code progress} what is counted, and how many items are listed as skipped. */
    void tell(ProjectionProgress progress, long skipped) {
        progress.projectedUpTo(sequence, changes, areEntriesKnown() ? entries : -1, skipped);
    }

    private boolean areEntriesKnown() {
        return (flags & ENTRIES_UNKNOWN) == 0;
    }
}
