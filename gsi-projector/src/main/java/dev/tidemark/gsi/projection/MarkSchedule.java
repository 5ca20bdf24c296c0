package dev.tidemark.gsi.projection;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import java.time.Instant;
import java.util.Optional;

/**
 * When a mark is due: an update for every partition of the index that says how far the table has
 * come, also to those that the last changes did nothing to.
 *
 * <p>A mark must be sent after the updates of the changes it covers, to each partition. Repeats of
 * changes that a mark has covered make none due. Not thread-safe.
 */
public final class MarkSchedule {

    private final int basePartition;
    private long projected;
    private long projectedTime;
    private long marked;

    public MarkSchedule(int basePartition) {
        this.basePartition = basePartition;
    }

    /** Says that all updates of the change with this sequence have been sent. */
    public void projected(long sequence, Instant time) {
        if (sequence > projected) {
            projected = sequence;
            projectedTime = time.toEpochMilli();
        }
    }

    /** Returns the mark to send now, which then counts as sent; empty if none is due. */
    public Optional<IndexUpdate> take() {
        if (projected <= marked) {
            return Optional.empty();
        }
        marked = projected;
        return Optional.of(
                IndexUpdate.mark(
                        new Position(basePartition, projected),
                        Instant.ofEpochMilli(projectedTime)));
    }
}
