package dev.tidemark.gsi;

import java.util.List;

/**
 * Where the history an index is built from may lack changes because compaction has removed those
 * that later ones overtook.
 *
 * @param sequences for each partition of the table the sequence up to which changes may be missing;
 *     empty if the history is full
 */
public record BackfillGaps(List<Long> sequences) {

    /** No change may be missing, from the first on. */
    public static final BackfillGaps NONE = new BackfillGaps(List.of());

    public BackfillGaps {
        sequences = List.copyOf(sequences);
    }

    /** Returns the sequence up to which changes of a partition may be missing; 0 if none may. */
    public long compactedUpTo(int partition) {
        return partition < sequences.size() ? sequences.get(partition) : 0;
    }
}
