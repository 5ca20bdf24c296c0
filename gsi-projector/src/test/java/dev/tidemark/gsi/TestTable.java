package dev.tidemark.gsi;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.KeyValueRule;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A table in memory that says what changes writes to it make, as the real one does. */
public final class TestTable {

    public static final long FIRST_TIME = 1_000_000;

    private final TableDefinition definition;
    private final Map<PrimaryKey, Item> items = new HashMap<>();
    private final long[] sequences;

    public TestTable(TableDefinition definition) {
        this.definition = definition;
        this.sequences = new long[definition.partitions()];
    }

    /** Returns a table of readings with a partition key {@code id} and one global index. */
    public static TableDefinition definition(int partitions, GlobalIndex index) {
        return definition("readings", partitions, index);
    }

    /** Returns a table with a partition key {@code id} and one global index. */
    public static TableDefinition definition(String name, int partitions, GlobalIndex index) {
        return new TableDefinition(
                new TableName(name),
                new TableId("abcdefgh"),
                KeySchema.simple(new KeyAttribute("id", KeyType.S)),
                List.of(),
                List.of(index),
                partitions,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    /** Returns an index by {@code place} that carries whole items. */
    public static GlobalIndex byPlace() {
        return index(KeySchema.simple(new KeyAttribute("place", KeyType.S)), new Projection.All());
    }

    public static GlobalIndex index(KeySchema key, Projection projection) {
        return new GlobalIndex(
                new IndexName("by-place"), 1, key, projection, Throughput.NONE, IndexStatus.ACTIVE);
    }

    /** Returns an item with these string attributes, given as name, value, name, value. */
    public static Item item(String... namesAndValues) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            attributes.put(namesAndValues[at], new AttributeValue.S(namesAndValues[at + 1]));
        }
        return new Item(attributes);
    }

    /** Puts an item; returns the change, or empty if it is the same as before. */
    public Optional<ChangeRecord> put(Item item) {
        PrimaryKey key = definition.key().keyOf(item).orElseThrow();
        Item before = items.put(key, item);
        if (item.equals(before)) {
            return Optional.empty();
        }
        ChangeOrigin origin = nextOrigin(key);
        return Optional.of(
                before == null
                        ? new ChangeRecord.Inserted(key, origin, item)
                        : new ChangeRecord.Modified(key, origin, before, item));
    }

    /** Deletes the item with this id; returns the change, or empty if there is none. */
    public Optional<ChangeRecord> delete(String id) {
        PrimaryKey key = new PrimaryKey(List.of(new AttributeValue.S(id)), List.of());
        Item before = items.remove(key);
        return before == null
                ? Optional.empty()
                : Optional.of(new ChangeRecord.Removed(key, nextOrigin(key), before));
    }

    /** Refreshes an item that is there, or takes the entry of a stale image of one that is not. */
    public ChangeRecord refresh(Item stale) {
        PrimaryKey key = definition.key().keyOf(stale).orElseThrow();
        ChangeOrigin next = nextOrigin(key);
        ChangeOrigin origin =
                new ChangeOrigin(
                        next.position(), next.writeOffset(), next.time(), ChangeCause.REPAIR);
        Item item = items.get(key);
        return item == null
                ? new ChangeRecord.Removed(key, origin, stale)
                : new ChangeRecord.Modified(key, origin, stale, item);
    }

    public long sequence(int partition) {
        return sequences[partition];
    }

    public int partitionOf(PrimaryKey key) {
        return Partitioning.partition(
                Partitioning.recordKey(key.partition()), definition.partitions());
    }

    /** Returns the entries the table projects to, by index partition and storage key. */
    public List<Map<Binary, Item>> projected(GlobalIndex index) {
        List<Map<Binary, Item>> partitions = new ArrayList<>();
        for (int partition = 0; partition < definition.partitions(); partition++) {
            partitions.add(new HashMap<>());
        }
        IndexMaintenance maintenance =
                new IndexMaintenance(definition.key(), index.key(), index.projection());
        items.forEach(
                (key, item) ->
                        maintenance
                                .entryFor(key, item)
                                .ifPresent(
                                        entry ->
                                                partitions
                                                        .get(
                                                                Partitioning.partition(
                                                                        Partitioning.recordKey(
                                                                                entry.indexKey()
                                                                                        .partition()),
                                                                        definition.partitions()))
                                                        .put(
                                                                Binary.wrap(
                                                                        StorageKeys.globalEntry(
                                                                                entry.indexKey(),
                                                                                key)),
                                                                entry.projected())));
        return partitions;
    }

    /** Returns the storage keys of the items that have a value no key of the index can have. */
    public Set<Binary> violating(GlobalIndex index) {
        Set<Binary> keys = new HashSet<>();
        items.forEach(
                (key, item) -> {
                    if (violates(item, index.key().partition(), KeyValueRule.MAX_PARTITION_SIZE)
                            || violates(item, index.key().sort(), KeyValueRule.MAX_SORT_SIZE)) {
                        keys.add(Binary.wrap(StorageKeys.item(key)));
                    }
                });
        return keys;
    }

    private static boolean violates(Item item, List<KeyAttribute> attributes, int maxSize) {
        for (KeyAttribute attribute : attributes) {
            AttributeValue value = item.get(attribute.name());
            if (value != null && KeyValueRule.violation(attribute, value, maxSize).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private ChangeOrigin nextOrigin(PrimaryKey key) {
        int partition = partitionOf(key);
        long sequence = ++sequences[partition];
        return new ChangeOrigin(
                new Position(partition, sequence),
                sequence * 2,
                Instant.ofEpochMilli(FIRST_TIME + sequence));
    }
}
