package dev.tidemark.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.materialize.Materializer;
import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Guarantee 5: replaying any history equals projecting its result. Histories of several table
 * partitions reach the partitions of the index interleaved and with stretches repeated.
 */
class IndexEqualsProjectedTableTest {

    private static final int PARTITIONS = 3;
    private static final int CHANGES = 400;

    static Stream<Arguments> histories() {
        KeyAttribute place = new KeyAttribute("s1", KeyType.S);
        KeyAttribute time = new KeyAttribute("n1", KeyType.N);
        KeyAttribute bytes = new KeyAttribute("b1", KeyType.B);
        KeySchema simple = KeySchema.simple(place);
        KeySchema composite = KeySchema.composite(place, time);
        KeySchema widest =
                new KeySchema(
                        List.of(place, time, bytes, new KeyAttribute("s2", KeyType.S)),
                        List.of(
                                new KeyAttribute("n2", KeyType.N),
                                new KeyAttribute("b2", KeyType.B),
                                new KeyAttribute("s3", KeyType.S),
                                new KeyAttribute("n3", KeyType.N)));
        KeySchema byTableKey = KeySchema.composite(place, new KeyAttribute("id", KeyType.S));
        Map<String, GlobalIndex> indexes = new LinkedHashMap<>();
        indexes.put("simple, all", TestTable.index(simple, new Projection.All()));
        indexes.put("composite, keys", TestTable.index(composite, new Projection.KeysOnly()));
        indexes.put(
                "binary, include",
                TestTable.index(
                        KeySchema.composite(bytes, time),
                        new Projection.Include(List.of("x", "s1"))));
        indexes.put("4+4, all", TestTable.index(widest, new Projection.All()));
        indexes.put("4+4, keys", TestTable.index(widest, new Projection.KeysOnly()));
        indexes.put("with table key", TestTable.index(byTableKey, new Projection.KeysOnly()));
        return indexes.entrySet().stream()
                .flatMap(
                        index ->
                                LongStream.range(0, 8)
                                        .mapToObj(
                                                seed ->
                                                        Arguments.argumentSet(
                                                                index.getKey() + ", seed " + seed,
                                                                index.getValue(),
                                                                seed)));
    }

    @ParameterizedTest
    @MethodSource("histories")
    void replayingAHistoryEqualsProjectingItsResult(GlobalIndex index, long seed) {
        // Given
        Random random = new Random(seed);
        TableDefinition definition = TestTable.definition(PARTITIONS, index);
        TestTable table = new TestTable(definition);
        List<Deque<IndexUpdate>> sent = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            sent.add(new ArrayDeque<>());
        }
        sendHistory(random, definition, index, table, sent);

        // When
        SchemaRegistry registry = new InMemorySchemaRegistry();
        IndexUpdateCodec codec = new IndexUpdateCodec(registry);
        List<MemoryEntryStore> stores = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            MemoryEntryStore store = new MemoryEntryStore();
            Materializer materializer = new Materializer(store, PARTITIONS);
            sent.get(partition)
                    .forEach(update -> materializer.apply(codec.decodeRaw(codec.encode(update))));
            stores.add(store);
            for (int base = 0; base < PARTITIONS; base++) {
                assertThat(materializer.tidemarks()[base]).isEqualTo(table.sequence(base));
            }
        }

        // Then
        List<Map<Binary, Item>> projected = table.projected(index);
        assertThat(projected.stream().mapToInt(Map::size).sum()).isPositive();
        assertThat(stores.stream().map(MemoryEntryStore::entries).toList()).isEqualTo(projected);
    }

    /** Sends updates and marks of a random history, sometimes going back and sending it again. */
    private static void sendHistory(
            Random random,
            TableDefinition definition,
            GlobalIndex index,
            TestTable table,
            List<Deque<IndexUpdate>> sent) {
        ChangeProjection projection = new ChangeProjection(definition, index);
        ChangeCodec codec = new ChangeCodec(new InMemorySchemaRegistry(), definition.key());
        List<List<ChangeRecord>> histories = new ArrayList<>();
        List<MarkSchedule> marks = new ArrayList<>();
        int[] at = new int[PARTITIONS];
        for (int base = 0; base < PARTITIONS; base++) {
            histories.add(new ArrayList<>());
            marks.add(new MarkSchedule(base));
        }
        for (int made = 0; made < CHANGES; ) {
            Optional<ChangeRecord> change = randomChange(random, table);
            if (change.isPresent()) {
                made++;
                int base = change.get().origin().position().partition();
                histories.get(base).add(codec.decode(codec.encode(change.get())));
            }
        }
        while (true) {
            int base = random.nextInt(PARTITIONS);
            List<ChangeRecord> history = histories.get(base);
            if (at[base] < history.size()) {
                ChangeRecord change = history.get(at[base]++);
                Position position = change.origin().position();
                for (PlacedUpdate placed : projection.project(change).updates()) {
                    assertThat(placed.update().position()).isEqualTo(position);
                    sent.get(placed.partition()).add(placed.update());
                }
                marks.get(base).projected(position.sequence(), change.origin().time());
                if (random.nextInt(4) == 0 || at[base] == history.size()) {
                    marks.get(base)
                            .take()
                            .ifPresent(mark -> sent.forEach(topic -> topic.add(mark)));
                }
                if (random.nextInt(20) == 0) {
                    at[base] -= random.nextInt(Math.min(at[base], 15) + 1);
                }
            }
            boolean done = true;
            for (int each = 0; each < PARTITIONS; each++) {
                done &= at[each] == histories.get(each).size();
            }
            if (done) {
                return;
            }
        }
    }

    private static Optional<ChangeRecord> randomChange(Random random, TestTable table) {
        String id = "item-" + random.nextInt(12);
        if (random.nextInt(5) == 0) {
            return table.delete(id);
        }
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put("id", new AttributeValue.S(id));
        for (String name : List.of("s1", "s2", "s3", "n1", "n2", "n3", "b1", "b2")) {
            if (random.nextInt(12) > 0) {
                attributes.put(name, randomKeyValue(random, name));
            }
        }
        attributes.put("x", new AttributeValue.S("x" + random.nextInt(3)));
        return random.nextInt(10) == 0
                ? Optional.of(table.refresh(new Item(attributes)))
                : table.put(new Item(attributes));
    }

    /** Few values, so that keys repeat; at times one that can't be a key. */
    private static AttributeValue randomKeyValue(Random random, String name) {
        int value = random.nextInt(3);
        if (random.nextInt(30) == 0) {
            return name.startsWith("s") ? new AttributeValue.S("") : new AttributeValue.Bool(true);
        }
        return switch (name.charAt(0)) {
            case 's' -> new AttributeValue.S(List.of("a", "a\0", "ab").get(value));
            case 'n' -> new AttributeValue.N(Decimal.parse(List.of("-1.5", "0", "12").get(value)));
            default ->
                    new AttributeValue.B(
                            Binary.copyOf(new byte[] {0, (byte) (value * 100), (byte) 255}));
        };
    }
}
