package dev.tidemark.model.progress;

import java.util.OptionalLong;

/**
 * What became of the changes of one partition of a table, or of several together, in one index.
 * Exact, also after repeats and crashes.
 *
 * @param sequence of the last change read; of several partitions, the sum
 * @param changes how many changes were read: as many as {@code sequence} says, less those that
 *     compaction had removed before
 * @param entries how many items have an entry in the index; empty if that can't be told, because
 *     the history lacked changes or was read by a version that did not count
 * @param skipped how many items have the index's key attributes and yet no entry: those listed as
 *     violations
 * @param isListed whether all such items are listed; false if a version that did not list any has
 *     read a part of the history
 */
public record ProjectionCounts(
        long sequence, long changes, OptionalLong entries, long skipped, boolean isListed) {

    /** Nothing is read. */
    public static final ProjectionCounts NONE =
            new ProjectionCounts(0, 0, OptionalLong.of(0), 0, true);

    public ProjectionCounts {
        if (sequence < 0 || changes < 0 || entries.orElse(0) < 0 || skipped < 0) {
            throw new IllegalArgumentException("Invalid counts: negative");
        }
    }

    /** Returns the counts of both together. */
    public ProjectionCounts plus(ProjectionCounts other) {
        return new ProjectionCounts(
                sequence + other.sequence,
                changes + other.changes,
                entries.isPresent() && other.entries.isPresent()
                        ? OptionalLong.of(entries.getAsLong() + other.entries.getAsLong())
                        : OptionalLong.empty(),
                skipped + other.skipped,
                isListed && other.isListed);
    }
}
