package dev.tidemark.gsi.projection;

import java.util.Map;

/**
 * The order in which the changes of one partition of a table must come: contiguous, with repeats.
 *
 * <p>A repeat is harmless: whoever reads changes before they are committed meets some twice, with
 * the same sequence and content. A forward gap means that changes are missing, because the log was
 * cleaned faster than it was read or was tampered with; an index that went on would be wrong for
 * ever. Up to the sequence to which the log may have been compacted before it was first read, gaps
 * are what compaction leaves and are right. Not thread-safe.
 */
public final class ChangeOrder {

    private final long compactedUpTo;
    private long highest;

    /**
     * Makes the order of changes after {@code lastRead}.
     *
     * @param lastRead the sequence of the last change read before, 0 if none
     * @param compactedUpTo the sequence up to which changes may be missing, 0 for a full history
     */
    public ChangeOrder(long lastRead, long compactedUpTo) {
        this.highest = lastRead;
        this.compactedUpTo = compactedUpTo;
    }

    /**
     * Takes the next change and returns whether it is new, not a repeat.
     *
     * @throws ChangeGapException if changes between the last one and it are missing
     */
    public boolean isNew(long sequence) {
        if (sequence <= highest) {
            return false;
        }
        if (sequence > Math.max(highest, compactedUpTo) + 1) {
            throw new ChangeGapException(
                    "Changes of the table are missing from its log; the index must be built anew",
                    Map.of("lastSequence", highest, "nextSequence", sequence));
        }
        highest = sequence;
        return true;
    }
}
