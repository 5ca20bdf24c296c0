package dev.tidemark.lsi;

import dev.tidemark.model.index.EntryChange;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ItemCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Translates a change of an item into writes of the {@link LocalIndexStore}. Whoever puts them into
 * the store in the transaction that puts the item makes the indexes exactly as fresh as the table.
 *
 * <p>An entry's value is the stored form of the projected item. Stateless, thread-safe.
 */
public final class LocalIndexMaintenance {

    private record Maintained(int id, IndexMaintenance maintenance) {}

    private final List<Maintained> indexes;

    /** Maintains the local indexes of {@code table}, which are fixed at its creation. */
    public LocalIndexMaintenance(TableDefinition table) {
        this.indexes =
                table.localIndexes().stream().map(index -> maintained(table, index)).toList();
    }

    /** Returns whether the table has local indexes at all. */
    public boolean hasIndexes() {
        return !indexes.isEmpty();
    }

    /**
     * Returns what a change of the item with {@code key} does to all local indexes and to the size
     * of its collection.
     *
     * @param collectionSize the bytes of the collection so far, as {@link CollectionSize} tells
     */
    public LocalChange changeFor(
            PrimaryKey key, Optional<Item> before, Optional<Item> after, long collectionSize) {
        List<KeyValue<Bytes, byte @Nullable []>> writes = new ArrayList<>();
        long growth = size(after) - size(before);
        for (Maintained index : indexes) {
            EntryChange change = index.maintenance().changeFor(key, before, after);
            growth += change.sizeAfter() - change.sizeBefore();
            for (IndexWrite write : change.writes()) {
                Bytes entryKey =
                        Bytes.wrap(
                                StorageKeys.localEntry(
                                        index.id(), write.indexKey(), write.tableKey()));
                writes.add(new KeyValue<>(entryKey, valueOf(write)));
            }
        }
        return new LocalChange(key, writes, Math.max(0, collectionSize + growth), growth);
    }

    private static long size(Optional<Item> item) {
        return item.isPresent() ? item.get().size() : 0;
    }

    private static byte @Nullable [] valueOf(IndexWrite write) {
        return write instanceof IndexWrite.Put put
                ? ItemCodec.encode(put.entry().projected())
                : null;
    }

    private static Maintained maintained(TableDefinition table, LocalIndex index) {
        return new Maintained(
                index.id(), new IndexMaintenance(table.key(), index.key(), index.projection()));
    }
}
