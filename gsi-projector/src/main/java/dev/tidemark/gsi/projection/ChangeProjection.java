package dev.tidemark.gsi.projection;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.EntryChange;
import dev.tidemark.model.index.IndexEntry;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyValueRule;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Translates changes of a table into updates of the partitions of one global index.
 *
 * <p>What a change does to one partition is one update, delete and put together, so that it is
 * applied whole or not at all. A change that does nothing to the index gives no update. The same
 * change always gives the same updates. Stateless, thread-safe.
 */
public final class ChangeProjection {

    private final IndexMaintenance maintenance;
    private final KeySchema indexKey;
    private final int partitions;

    /** Makes the projection of {@code table} into {@code index}; both have as many partitions. */
    public ChangeProjection(TableDefinition table, GlobalIndex index) {
        this.maintenance = new IndexMaintenance(table.key(), index.key(), index.projection());
        this.indexKey = index.key();
        this.partitions = table.partitions();
    }

    /** Returns what {@code change} does to the index. */
    public ProjectedChange project(ChangeRecord change) {
        EntryChange entry = maintenance.changeFor(change.key(), change.before(), change.after());
        List<PlacedUpdate> updates = updates(change, maintenance.writesFor(change));
        Optional<Unsuitable> after = unsuitable(change.after(), entry.after());
        if (change.origin().cause() == ChangeCause.REPAIR) {
            // the item has the entry, or the violation, that it had; what was before says nothing
            // of it
            return new ProjectedChange(updates, 0, Optional.empty(), after);
        }
        return new ProjectedChange(
                updates,
                count(entry.after()) - count(entry.before()),
                unsuitable(change.before(), entry.before()),
                after);
    }

    private List<PlacedUpdate> updates(ChangeRecord change, List<IndexWrite> writes) {
        if (writes.isEmpty()) {
            return List.of();
        }
        Optional<Placed<Binary>> delete = Optional.empty();
        Optional<Placed<IndexUpdate.Put>> put = Optional.empty();
        for (IndexWrite write : writes) {
            Binary entryKey =
                    Binary.wrap(StorageKeys.globalEntry(write.indexKey(), write.tableKey()));
            byte[] recordKey = Partitioning.recordKey(write.indexKey().partition());
            int partition = Partitioning.partition(recordKey, partitions);
            if (write instanceof IndexWrite.Put toPut) {
                put =
                        Optional.of(
                                new Placed<>(
                                        partition,
                                        Binary.wrap(recordKey),
                                        new IndexUpdate.Put(entryKey, toPut.entry().projected())));
            } else {
                delete = Optional.of(new Placed<>(partition, Binary.wrap(recordKey), entryKey));
            }
        }
        return place(change, delete, put);
    }

    private static int count(Optional<IndexEntry> entry) {
        return entry.isPresent() ? 1 : 0;
    }

    /**
     * Returns how an item fails to have a place in the index although it has the attribute; empty
     * if it has an entry, or lacks the attribute, or is not there.
     */
    private Optional<Unsuitable> unsuitable(Optional<Item> image, Optional<IndexEntry> entry) {
        if (entry.isPresent() || image.isEmpty()) {
            return Optional.empty();
        }
        Item item = image.get();
        Optional<Unsuitable> partition = firstUnsuitable(item, indexKey.partition(), true);
        return partition.isPresent() ? partition : firstUnsuitable(item, indexKey.sort(), false);
    }

    private static Optional<Unsuitable> firstUnsuitable(
            Item item, List<KeyAttribute> attributes, boolean isPartition) {
        int maxSize = isPartition ? KeyValueRule.MAX_PARTITION_SIZE : KeyValueRule.MAX_SORT_SIZE;
        for (KeyAttribute attribute : attributes) {
            AttributeValue value = item.get(attribute.name());
            if (value != null) {
                Optional<KeyValueRule.Violation> violation =
                        KeyValueRule.violation(attribute, value, maxSize);
                if (violation.isPresent()) {
                    return Optional.of(
                            new Unsuitable(
                                    attribute,
                                    isPartition,
                                    violation.get(),
                                    value.type(),
                                    value.size()));
                }
            }
        }
        return Optional.empty();
    }

    private static List<PlacedUpdate> place(
            ChangeRecord change,
            Optional<Placed<Binary>> delete,
            Optional<Placed<IndexUpdate.Put>> put) {
        if (delete.isPresent()
                && put.isPresent()
                && delete.get().partition() != put.get().partition()) {
            return List.of(
                    placed(change, delete, Optional.empty()),
                    placed(change, Optional.empty(), put));
        }
        return List.of(placed(change, delete, put));
    }

    private static PlacedUpdate placed(
            ChangeRecord change,
            Optional<Placed<Binary>> delete,
            Optional<Placed<IndexUpdate.Put>> put) {
        IndexUpdate update =
                new IndexUpdate(
                        change.origin().position(),
                        change.origin().time(),
                        delete.map(Placed::what),
                        put.map(Placed::what));
        return put.map(to -> new PlacedUpdate(to.partition(), to.recordKey(), update))
                .orElseGet(
                        () -> {
                            Placed<Binary> from = delete.orElseThrow();
                            return new PlacedUpdate(from.partition(), from.recordKey(), update);
                        });
    }

    private record Placed<T>(int partition, Binary recordKey, T what) {}
}
