package dev.tidemark.query.verify;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
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
import dev.tidemark.wire.ItemCodec;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** A table with an index that trails it, both in memory, written to at random. */
final class SimulatedTable {

    private static final int PARTITIONS = 2;
    private static final int IDS = 60;
    private static final List<String> PLACES = List.of("a", "b", "c", "d");

    private static final TableDefinition TABLE =
            new TableDefinition(
                    new TableName("things"),
                    new TableId("abcdefgh"),
                    KeySchema.simple(new KeyAttribute("id", KeyType.S)),
                    List.of(),
                    List.of(),
                    PARTITIONS,
                    BillingMode.PAY_PER_REQUEST,
                    Throughput.NONE,
                    Map.of(),
                    false,
                    Instant.EPOCH,
                    TableStatus.ACTIVE);
    private static final GlobalIndex INDEX =
            new GlobalIndex(
                    new IndexName("by-place"),
                    1,
                    KeySchema.composite(
                            new KeyAttribute("place", KeyType.S),
                            new KeyAttribute("floor", KeyType.S)),
                    new Projection.Include(List.of("carried")),
                    Throughput.NONE,
                    IndexStatus.ACTIVE);

    /** Where an entry lies. */
    record Place(PrimaryKey indexKey, PrimaryKey tableKey) {
        static Place of(IndexWrite write) {
            return new Place(write.indexKey(), write.tableKey());
        }
    }

    final IndexModel model = new IndexModel(TABLE, INDEX);
    final IndexMaintenance maintenance =
            new IndexMaintenance(TABLE.key(), INDEX.key(), INDEX.projection());

    /** The stores of the partitions of the table, and of the index, by storage key. */
    final List<NavigableMap<Binary, byte[]>> items = stores();

    final List<NavigableMap<Binary, byte[]>> entries = stores();

    private final Random random;
    private final long[] sequences = new long[PARTITIONS];

    /** What an index partition has still to apply, by partition of the table. */
    private final List<List<Deque<IndexWrite>>> pending = new ArrayList<>();

    private List<ChangeRecord> news = new ArrayList<>();

    SimulatedTable(Random random) {
        this.random = random;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            pending.add(List.of(new ArrayDeque<>(), new ArrayDeque<>()));
        }
    }

    private static List<NavigableMap<Binary, byte[]>> stores() {
        return List.of(new TreeMap<>(), new TreeMap<>());
    }

    /** Writes, and lets the index catch up. */
    void settle(int writes) {
        for (int left = writes; left > 0; left--) {
            write();
        }
        applyAll();
    }

    /** From here on changes are told; the index covers all before. */
    void position() {
        applyAll();
        news = new ArrayList<>();
    }

    List<ChangeRecord> news() {
        List<ChangeRecord> told = news;
        news = new ArrayList<>();
        return told;
    }

    /** Puts, deletes or refreshes an item, or changes nothing. */
    void write() {
        String id = "item-" + random.nextInt(IDS);
        PrimaryKey key = new PrimaryKey(List.of(new AttributeValue.S(id)), List.of());
        Binary storageKey = Binary.wrap(StorageKeys.item(key));
        int base = model.basePartition(key);
        byte[] stored = items.get(base).get(storageKey);
        Optional<Item> before = Optional.ofNullable(stored).map(ItemCodec::decode);
        int kind = random.nextInt(10);
        if (kind == 0) {
            if (before.isPresent() || random.nextBoolean()) {
                changed(key, Optional.of(randomItem(id)), before, ChangeCause.REPAIR);
            }
            return;
        }
        Optional<Item> after = kind < 3 ? Optional.empty() : Optional.of(randomItem(id));
        if (!before.equals(after)) {
            after.ifPresentOrElse(
                    item -> items.get(base).put(storageKey, ItemCodec.encode(item)),
                    () -> items.get(base).remove(storageKey));
            changed(key, before, after, ChangeCause.REQUEST);
        }
    }

    private Item randomItem(String id) {
        List<String> names = new ArrayList<>(List.of("place", "floor", "carried", "other"));
        Collections.shuffle(names, random);
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put("id", new AttributeValue.S(id));
        for (String name : names) {
            if (random.nextInt(8) > 0) {
                attributes.put(
                        name, new AttributeValue.S(PLACES.get(random.nextInt(PLACES.size()))));
            }
        }
        return new Item(attributes);
    }

    private void changed(
            PrimaryKey key, Optional<Item> before, Optional<Item> after, ChangeCause cause) {
        int base = model.basePartition(key);
        ChangeOrigin origin =
                new ChangeOrigin(
                        new Position(base, ++sequences[base]),
                        sequences[base],
                        Instant.EPOCH,
                        cause);
        ChangeRecord change =
                before.isEmpty()
                        ? new ChangeRecord.Inserted(key, origin, after.orElseThrow())
                        : after.isPresent()
                                ? new ChangeRecord.Modified(key, origin, before.get(), after.get())
                                : new ChangeRecord.Removed(key, origin, before.get());
        news.add(change);
        for (IndexWrite write : maintenance.writesFor(change)) {
            pending.get(partitionOf(write.indexKey())).get(base).add(write);
        }
    }

    /** Each partition of the index gets on with each partition of the table, if it does. */
    void applySome() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (Deque<IndexWrite> writes : pending.get(partition)) {
                for (int left = random.nextInt(4); left > 0 && !writes.isEmpty(); left--) {
                    apply(partition, writes.remove());
                }
            }
        }
    }

    private void applyAll() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (Deque<IndexWrite> writes : pending.get(partition)) {
                while (!writes.isEmpty()) {
                    apply(partition, writes.remove());
                }
            }
        }
    }

    private void apply(int partition, IndexWrite write) {
        Binary key = Binary.wrap(StorageKeys.globalEntry(write.indexKey(), write.tableKey()));
        if (write instanceof IndexWrite.Put put) {
            entries.get(partition).put(key, ItemCodec.encode(put.entry().projected()));
        } else {
            entries.get(partition).remove(key);
        }
    }

    private static int partitionOf(PrimaryKey indexKey) {
        return Partitioning.partition(Partitioning.recordKey(indexKey.partition()), PARTITIONS);
    }

    /** Returns what the index should have now. */
    Buckets projected() {
        Buckets sums = new Buckets(PARTITIONS);
        for (int base = 0; base < PARTITIONS; base++) {
            for (byte[] stored : items.get(base).values()) {
                Item item = ItemCodec.decode(stored);
                PrimaryKey key = model.keyOf(item);
                int partition = base;
                model.expected(key, item)
                        .ifPresent(
                                entry ->
                                        sums.add(
                                                partition,
                                                IndexModel.bucket(key),
                                                entry.content()));
            }
        }
        return sums;
    }

    /** Makes entries wrong; returns which, and how. */
    Map<Place, Difference.Kind> corrupt(int count) {
        Map<Place, Difference.Kind> wrong = new HashMap<>();
        while (wrong.size() < count) {
            Item item = randomItem("item-" + random.nextInt(IDS));
            PrimaryKey key = model.keyOf(item);
            Optional<Item> there =
                    Optional.ofNullable(
                                    items.get(model.basePartition(key))
                                            .get(Binary.wrap(StorageKeys.item(key))))
                            .map(ItemCodec::decode);
            boolean dangling = random.nextInt(3) == 0;
            Optional<PrimaryKey> indexKey =
                    (dangling ? Optional.of(item) : there).flatMap(INDEX.key()::keyOf);
            if (indexKey.isEmpty()
                    || wrong.containsKey(new Place(indexKey.get(), key))
                    || (dangling && there.flatMap(INDEX.key()::keyOf).equals(indexKey))) {
                continue;
            }
            Place place = new Place(indexKey.get(), key);
            NavigableMap<Binary, byte[]> store = entries.get(partitionOf(place.indexKey()));
            Binary storageKey =
                    Binary.wrap(StorageKeys.globalEntry(place.indexKey(), place.tableKey()));
            if (dangling) {
                store.put(storageKey, ItemCodec.encode(item));
                wrong.put(place, Difference.Kind.DANGLING);
            } else if (random.nextBoolean()) {
                store.remove(storageKey);
                wrong.put(place, Difference.Kind.MISSING);
            } else {
                store.put(
                        storageKey,
                        random.nextBoolean()
                                ? new byte[] {77}
                                : ItemCodec.encode(
                                        new Item(
                                                Map.of("carried", new AttributeValue.S("wrong")))));
                wrong.put(place, Difference.Kind.DIFFERENT);
            }
        }
        return wrong;
    }

    /** Puts an entry in the partition it does not belong to, and one that is none. */
    void plantStrays() {
        PrimaryKey indexKey =
                new PrimaryKey(
                        List.of(new AttributeValue.S("a")), List.of(new AttributeValue.S("b")));
        PrimaryKey tableKey = new PrimaryKey(List.of(new AttributeValue.S("item-1")), List.of());
        entries.get(1 - partitionOf(indexKey))
                .put(
                        Binary.wrap(StorageKeys.globalEntry(indexKey, tableKey)),
                        ItemCodec.encode(Item.EMPTY));
        entries.get(0).put(Binary.wrap(new byte[] {1, 2, 3, 4}), new byte[] {1});
    }

    Place placeOf(Difference difference) {
        return new Place(
                INDEX.key().keyOf(difference.indexKey().orElseThrow()).orElseThrow(),
                TABLE.key().keyOf(difference.key().orElseThrow()).orElseThrow());
    }

    /** Reads rows after a key one after another; in between something may happen. */
    static List<Row> page(
            NavigableMap<Binary, byte[]> store, byte[] after, int most, Runnable between) {
        List<Row> rows = new ArrayList<>();
        Binary last = Binary.wrap(after);
        while (rows.size() < most) {
            Map.Entry<Binary, byte[]> next = store.higherEntry(last);
            if (next == null) {
                return rows;
            }
            rows.add(new Row(next.getKey().toByteArray(), next.getValue()));
            last = next.getKey();
            between.run();
        }
        return rows;
    }

    static List<Row> find(NavigableMap<Binary, byte[]> store, List<byte[]> keys) {
        List<Row> rows = new ArrayList<>();
        for (byte[] key : keys) {
            byte[] value = store.get(Binary.wrap(key));
            if (value != null) {
                rows.add(new Row(key, value));
            }
        }
        return rows;
    }
}
