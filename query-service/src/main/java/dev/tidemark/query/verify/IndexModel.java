package dev.tidemark.query.verify;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WireFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an index should have of its table, in the form in which both are compared. Stateless,
 * thread-safe.
 */
final class IndexModel {

    /** The number of groups that the entries of each partition of the table fall into. */
    static final int BUCKETS = 4_096;

    private static final int BUCKET_SHIFT = 52;
    private static final byte[] READABLE = {1};
    private static final byte[] UNREADABLE = {0};

    /**
     * An entry, by where it lies.
     *
     * @param storageKey under which it lies
     * @param indexPartition where it belongs
     * @param indexKey where it sorts
     * @param tableKey the item it stands for
     */
    record Place(Binary storageKey, int indexPartition, PrimaryKey indexKey, PrimaryKey tableKey) {

        Hash128 hash() {
            return Hash128.of(storageKey.toByteArray());
        }

        boolean isSameAs(Place other) {
            return storageKey.equals(other.storageKey);
        }
    }

    /**
     * An entry that the index should have.
     *
     * @param content of its storage key and what it carries
     */
    record Expected(Place place, Hash128 content) {}

    private final KeySchema tableKey;
    private final KeySchema indexKey;
    private final int partitions;
    private final IndexMaintenance maintenance;

    IndexModel(TableDefinition table, GlobalIndex index) {
        this.tableKey = table.key();
        this.indexKey = index.key();
        this.partitions = table.partitions();
        this.maintenance = new IndexMaintenance(table.key(), index.key(), index.projection());
    }

    /** Returns the number of partitions of the table, which is that of the index. */
    int partitions() {
        return partitions;
    }

    /** Returns the partition of the table that the item belongs to. */
    int basePartition(PrimaryKey key) {
        return Partitioning.partition(Partitioning.recordKey(key.partition()), partitions);
    }

    /** Returns the group that the item's entries fall into. */
    static int bucket(PrimaryKey key) {
        return (int) (Hash128.of(StorageKeys.item(key)).high() >>> BUCKET_SHIFT);
    }

    /** Returns the item that a row of the items store holds. */
    static Item item(Row row) {
        return ItemCodec.decode(row.value());
    }

    PrimaryKey keyOf(Item item) {
        return tableKey.keyOf(item)
                .orElseThrow(() -> new IllegalStateException("An item lacks its table's key"));
    }

    /** Returns the entry that the index should have of the item. */
    Optional<Expected> expected(PrimaryKey key, Item item) {
        return maintenance
                .entryFor(key, item)
                .map(
                        entry -> {
                            Place place = place(entry.indexKey(), entry.tableKey());
                            return new Expected(
                                    place,
                                    content(place.storageKey().toByteArray(), entry.projected()));
                        });
    }

    /** Returns the places that a change writes to. */
    List<Place> touched(ChangeRecord change) {
        List<Place> places = new ArrayList<>(2);
        for (IndexWrite write : maintenance.writesFor(change)) {
            places.add(place(write.indexKey(), write.tableKey()));
        }
        return places;
    }

    private Place place(PrimaryKey key, PrimaryKey ofItem) {
        return new Place(
                Binary.wrap(StorageKeys.globalEntry(key, ofItem)),
                Partitioning.partition(Partitioning.recordKey(key.partition()), partitions),
                key,
                ofItem);
    }

    /** Returns where an entry with this storage key belongs, or empty if none can have it. */
    Optional<Place> place(byte[] storageKey) {
        try {
            KeyBytes.Reader in = new KeyBytes.Reader(storageKey, Short.BYTES);
            PrimaryKey key = read(indexKey, in);
            PrimaryKey ofItem = read(tableKey, in);
            Place place = place(key, ofItem);
            boolean isKey =
                    place.storageKey().equals(Binary.wrap(storageKey))
                            && indexKey.keyOf(indexKey.toItem(key)).isPresent()
                            && tableKey.keyOf(tableKey.toItem(ofItem)).isPresent();
            return isKey ? Optional.of(place) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static PrimaryKey read(KeySchema schema, KeyBytes.Reader in) {
        List<AttributeValue> partition = new ArrayList<>();
        for (int left = schema.partition().size(); left > 0; left--) {
            partition.add(KeyEncoding.read(in));
        }
        List<AttributeValue> sort = new ArrayList<>();
        for (int left = schema.sort().size(); left > 0; left--) {
            sort.add(KeyEncoding.read(in));
        }
        return new PrimaryKey(partition, sort);
    }

    /** Returns the content of an entry as it is in the index; readable or not. */
    static Hash128 content(Row entry) {
        try {
            return content(entry.key(), ItemCodec.decode(entry.value()));
        } catch (WireFormatException e) {
            return Hash128.of(UNREADABLE, entry.key(), entry.value());
        }
    }

    /** The order of attributes, in an item and within, is none of their value. */
    private static Hash128 content(byte[] storageKey, Item carried) {
        return Hash128.of(
                READABLE, storageKey, ItemCodec.encode(new Item(sorted(carried.attributes()))));
    }

    private static Map<String, AttributeValue> sorted(Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> inOrder = new LinkedHashMap<>();
        new TreeMap<>(attributes).forEach((name, value) -> inOrder.put(name, sorted(value)));
        return inOrder;
    }

    private static AttributeValue sorted(AttributeValue value) {
        if (value instanceof AttributeValue.M map) {
            return new AttributeValue.M(sorted(map.values()));
        }
        if (value instanceof AttributeValue.L list) {
            return new AttributeValue.L(list.values().stream().map(IndexModel::sorted).toList());
        }
        return value;
    }

    /** Returns the entry's item's key, as DynamoDB writes keys. */
    Item tableKey(Place place) {
        return tableKey.toItem(place.tableKey());
    }

    /** Returns the entry's own key, as DynamoDB writes keys. */
    Item indexKey(Place place) {
        return indexKey.toItem(place.indexKey());
    }
}
