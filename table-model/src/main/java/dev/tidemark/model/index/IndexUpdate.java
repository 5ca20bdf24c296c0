package dev.tidemark.model.index;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import java.time.Instant;
import java.util.Optional;

/**
 * What one change of the table does to one partition of a global index; one record of the index's
 * update topic. Neither a delete nor a put is a <em>mark</em>: it only says how far the table has
 * come.
 *
 * @param position the partition of the table, and the sequence of the change (of a mark: of the
 *     last change before it)
 * @param time when that change happened
 * @param delete the storage key of the entry to remove, applied before the put
 * @param put the entry to write
 */
public record IndexUpdate(
        Position position, Instant time, Optional<Binary> delete, Optional<Put> put) {

    /**
     * An entry to write.
     *
     * @param entryKey its storage key
     * @param projected what it carries
     */
    public record Put(Binary entryKey, Item projected) {}

    /** Returns an update that says only how far the table has come. */
    public static IndexUpdate mark(Position position, Instant time) {
        return new IndexUpdate(position, time, Optional.empty(), Optional.empty());
    }

    public boolean isMark() {
        return delete.isEmpty() && put.isEmpty();
    }
}
