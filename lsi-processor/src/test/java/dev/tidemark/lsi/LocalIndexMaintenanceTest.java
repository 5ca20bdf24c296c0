package dev.tidemark.lsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.wire.ItemCodec;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalIndexMaintenanceTest {

    private static final KeyAttribute PK = new KeyAttribute("pk", KeyType.S);
    private static final KeyAttribute SK = new KeyAttribute("sk", KeyType.N);

    private static final LocalIndex BY_A =
            new LocalIndex(
                    new IndexName("by-a"),
                    1,
                    KeySchema.composite(PK, new KeyAttribute("a", KeyType.S)),
                    new Projection.All());
    private static final LocalIndex BY_B =
            new LocalIndex(
                    new IndexName("by-b"),
                    2,
                    KeySchema.composite(PK, new KeyAttribute("b", KeyType.N)),
                    new Projection.KeysOnly());

    private static final TableDefinition TABLE = table(List.of(BY_A, BY_B));

    private final LocalIndexMaintenance maintenance = new LocalIndexMaintenance(TABLE);

    @Test
    void aTableWithoutLocalIndexesHasNothingToWrite() {
        LocalIndexMaintenance none = new LocalIndexMaintenance(table(List.of()));

        assertThat(none.hasIndexes()).isFalse();
        assertThat(
                        none.changeFor(key(1), Optional.empty(), Optional.of(item(1, "x", 1)), 0)
                                .writes())
                .isEmpty();
    }

    @Test
    void anItemIsPutIntoTheIndexesWhoseKeysItHasAsTheirProjectionSays() {
        Item item = item(1, "x", 7).only(List.of("pk", "sk", "b", "other"));

        List<KeyValue<Bytes, byte[]>> writes =
                maintenance.changeFor(key(1), Optional.empty(), Optional.of(item), 0).writes();

        assertThat(writes).hasSize(1);
        assertThat(writes.get(0).key.get())
                .isEqualTo(StorageKeys.localEntry(2, BY_B.key().keyOf(item).orElseThrow(), key(1)));
        assertThat(ItemCodec.decode(writes.get(0).value))
                .isEqualTo(item.only(List.of("pk", "sk", "b")));
    }

    @Test
    void changingTheIndexKeyDeletesTheOldEntryBeforePuttingTheNew() {
        List<KeyValue<Bytes, byte[]>> writes =
                maintenance
                        .changeFor(
                                key(1),
                                Optional.of(item(1, "x", 7)),
                                Optional.of(item(1, "y", 7)),
                                0)
                        .writes();

        assertThat(writes).hasSize(2);
        assertThat(writes.get(0).value).isNull();
        assertThat(ItemCodec.decode(writes.get(1).value)).isEqualTo(item(1, "y", 7));
    }

    @Test
    void anEntryThatStaysTheSameIsNotWritten() {
        Item before = item(1, "x", 7);
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(before.attributes());
        attributes.put("other", new AttributeValue.S("new"));

        List<KeyValue<Bytes, byte[]>> writes =
                maintenance
                        .changeFor(
                                key(1), Optional.of(before), Optional.of(new Item(attributes)), 0)
                        .writes();

        assertThat(writes).as("only the index that projects everything").hasSize(1);
        assertThat(writes.get(0).key.get()[0]).isEqualTo((byte) 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void applyingAnyHistoryEqualsProjectingTheResult(long seed) {
        // Given
        Random random = new Random(seed);
        Map<PrimaryKey, Item> items = new HashMap<>();
        TreeMap<Bytes, byte[]> entries = new TreeMap<>();
        long size = 0;

        // When
        for (int step = 0; step < 2_000; step++) {
            int number = random.nextInt(8);
            Optional<Item> before = Optional.ofNullable(items.get(key(number)));
            Optional<Item> after =
                    random.nextInt(4) == 0 ? Optional.empty() : Optional.of(any(random, number));
            LocalChange change = maintenance.changeFor(key(number), before, after, size);
            size = change.collectionSize();
            for (KeyValue<Bytes, byte[]> write : change.writes()) {
                if (write.value == null) {
                    entries.remove(write.key);
                } else {
                    entries.put(write.key, write.value);
                }
            }
            after.ifPresentOrElse(
                    item -> items.put(key(number), item), () -> items.remove(key(number)));
        }

        // Then
        Map<Bytes, Item> expected = new TreeMap<>();
        for (LocalIndex index : TABLE.localIndexes()) {
            IndexMaintenance projection =
                    new IndexMaintenance(TABLE.key(), index.key(), index.projection());
            items.forEach(
                    (key, item) ->
                            projection
                                    .entryFor(key, item)
                                    .ifPresent(
                                            entry ->
                                                    expected.put(
                                                            Bytes.wrap(
                                                                    StorageKeys.localEntry(
                                                                            index.id(),
                                                                            entry.indexKey(),
                                                                            key)),
                                                            entry.projected())));
        }
        Map<Bytes, Item> actual = new TreeMap<>();
        entries.forEach((key, value) -> actual.put(key, ItemCodec.decode(value)));
        assertThat(actual).isEqualTo(expected).isNotEmpty();
        assertThat(size)
                .as("the bytes of all items and entries of the one collection")
                .isEqualTo(
                        Stream.concat(items.values().stream(), expected.values().stream())
                                .mapToLong(Item::size)
                                .sum());
    }

    private static TableDefinition table(List<LocalIndex> localIndexes) {
        return new TableDefinition(
                new TableName("Things"),
                new TableId("abcdefgh"),
                KeySchema.composite(PK, SK),
                localIndexes,
                List.of(),
                1,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    private static PrimaryKey key(int number) {
        return new PrimaryKey(
                List.of(new AttributeValue.S("p" + number % 2)),
                List.of(new AttributeValue.N(Decimal.of(number))));
    }

    private static Item item(int number, String a, int b) {
        Map<String, AttributeValue> attributes =
                new LinkedHashMap<>(TABLE.key().toItem(key(number)).attributes());
        attributes.put("a", new AttributeValue.S(a));
        attributes.put("b", new AttributeValue.N(Decimal.of(b)));
        attributes.put("other", new AttributeValue.S("o"));
        return new Item(attributes);
    }

    private static Item any(Random random, int number) {
        Map<String, AttributeValue> attributes =
                new LinkedHashMap<>(
                        item(number, "a" + random.nextInt(3), random.nextInt(3)).attributes());
        if (random.nextInt(3) == 0) {
            attributes.remove("a");
        }
        if (random.nextInt(3) == 0) {
            attributes.put("b", new AttributeValue.S("of another type"));
        }
        return new Item(attributes);
    }
}
