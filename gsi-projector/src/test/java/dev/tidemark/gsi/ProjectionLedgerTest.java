package dev.tidemark.gsi;

import static dev.tidemark.gsi.TestTable.item;
import static dev.tidemark.model.key.KeyValueRule.Violation.EMPTY;
import static dev.tidemark.model.key.KeyValueRule.Violation.TOO_LONG;
import static dev.tidemark.model.key.KeyValueRule.Violation.WRONG_TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.gsi.projection.ViolationRecord;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProjectionLedgerTest {

    private static final GlobalIndex INDEX =
            TestTable.index(
                    KeySchema.composite(
                            new KeyAttribute("place", KeyType.S),
                            new KeyAttribute("time", KeyType.N)),
                    new Projection.KeysOnly());
    private static final TableDefinition TABLE = TestTable.definition(1, INDEX);
    private static final ChangeProjection PROJECTION = new ChangeProjection(TABLE, INDEX);
    private static final ViolationRecord RECORD = new ViolationRecord(TABLE, INDEX);
    private static final Bytes ROW = Bytes.wrap(new byte[] {0});

    private final TestTable table = new TestTable(TABLE);

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /**
     * For any history, however often stretches of it come again and the task is killed, what is
     * counted and listed in the end is what the table's items give.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void countsAndListEqualWhatTheItemsGive(long seed) {
        // Given
        Random random = new Random(seed);
        Map<Bytes, ChangeRecord> last = new HashMap<>();
        List<ChangeRecord> log = logWithRepeats(random, last);

        // When
        Task task = new Task(random);
        int committed = 0;
        int at = 0;
        while (at < log.size()) {
            task.process(log.get(at++));
            if (random.nextInt(10) == 0) {
                task.commit();
                committed = at;
            } else if (random.nextInt(25) == 0) {
                task = task.afterKill();
                at = committed;
            }
        }

        // Then
        long entries =
                last.values().stream()
                        .flatMap(change -> change.after().stream())
                        .filter(item -> INDEX.key().keyOf(item).isPresent())
                        .count();
        Map<Bytes, String> listed = new HashMap<>();
        last.forEach(
                (key, change) ->
                        change.after()
                                .flatMap(ProjectionLedgerTest::firstViolation)
                                .ifPresent(
                                        why ->
                                                listed.put(
                                                        key,
                                                        new String(
                                                                RECORD.text(change, why),
                                                                StandardCharsets.UTF_8))));
        assertThat(entries).isPositive();
        assertThat(task.list()).isNotEmpty().isEqualTo(listed);
        assertThat(task.ledger.counts())
                .isEqualTo(
                        new ProjectionCounts(
                                table.sequence(0),
                                table.sequence(0),
                                OptionalLong.of(entries),
                                listed.size(),
                                true));
    }

    @Test
    void rowOfAVersionThatDidNotCountIsReadAndSaysSo() {
        // Given
        Task old = new Task(new Random(0));
        old.read.put(ROW, ByteBuffer.allocate(Long.BYTES).putLong(2).array());
        table.put(item("id", "1", "place", ""));
        table.put(item("id", "2", "place", ""));

        // When
        old.commit();
        Task task = old.afterKill();
        task.process(table.put(item("id", "1", "place", "a")).orElseThrow());
        task.process(table.put(item("id", "3", "place", "")).orElseThrow());

        // Then
        assertThat(task.ledger.counts())
                .isEqualTo(new ProjectionCounts(4, 4, OptionalLong.empty(), 1, false));
        task.commit();
        assertThat(task.afterKill().ledger.counts()).isEqualTo(task.ledger.counts());
    }

    @Test
    void entriesAreNotToldOfAHistoryThatLacksChanges() {
        // Given
        table.put(item("id", "1", "place", ""));
        ChangeRecord first = table.put(item("id", "1", "place", "a")).orElseThrow();
        ChangeRecord second = table.put(item("id", "2", "place", "")).orElseThrow();
        ChangeRecord third = table.delete("1").orElseThrow();

        // When
        Task task = new Task(new Random(0), 3);
        task.process(first);
        task.process(second);
        task.process(third);

        // Then
        assertThat(task.ledger.counts())
                .isEqualTo(new ProjectionCounts(4, 3, OptionalLong.empty(), 1, true));
    }

    /** Some changes of some items; at times it goes back and repeats a stretch, as a log may. */
    private List<ChangeRecord> logWithRepeats(Random random, Map<Bytes, ChangeRecord> last) {
        List<ChangeRecord> history = new ArrayList<>();
        while (history.size() < 150) {
            randomChange(random)
                    .ifPresent(
                            change -> {
                                history.add(change);
                                last.put(Bytes.wrap(ViolationRecord.key(change)), change);
                            });
        }
        List<ChangeRecord> log = new ArrayList<>();
        for (int at = 0; at < history.size(); ) {
            log.add(history.get(at++));
            if (random.nextInt(15) == 0) {
                at -= random.nextInt(Math.min(at, 12) + 1);
            }
        }
        return log;
    }

    private Optional<ChangeRecord> randomChange(Random random) {
        String id = "item-" + random.nextInt(25);
        if (random.nextInt(6) == 0) {
            return table.delete(id);
        }
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put("id", new AttributeValue.S(id));
        attributes.put("x", new AttributeValue.S("x" + random.nextInt(3)));
        switch (random.nextInt(9)) {
            case 0 -> attributes.put("place", new AttributeValue.S(""));
            case 1 -> attributes.put("place", new AttributeValue.S("p".repeat(2049)));
            case 2 -> attributes.put("place", new AttributeValue.Bool(true));
            case 3 -> attributes.put("x", new AttributeValue.S("no place"));
            default -> attributes.put("place", new AttributeValue.S("p" + random.nextInt(3)));
        }
        switch (random.nextInt(8)) {
            case 0 -> attributes.put("time", new AttributeValue.S("noon"));
            case 1 -> attributes.put("x", new AttributeValue.S("no time"));
            default -> attributes.put("time", new AttributeValue.N(Decimal.parse("12")));
        }
        return table.put(new Item(attributes));
    }

    /** Says, in its own way, how an item fails to have a place. */
    private static Optional<Unsuitable> firstViolation(Item item) {
        KeyAttribute place = INDEX.key().partition().get(0);
        KeyAttribute time = INDEX.key().sort().get(0);
        AttributeValue placed = item.get("place");
        if (placed instanceof AttributeValue.S text && text.value().isEmpty()) {
            return Optional.of(new Unsuitable(place, true, EMPTY, AttributeType.S, 0));
        }
        if (placed instanceof AttributeValue.S text && text.value().length() > 2048) {
            return Optional.of(new Unsuitable(place, true, TOO_LONG, AttributeType.S, 2049));
        }
        if (placed instanceof AttributeValue.Bool) {
            return Optional.of(new Unsuitable(place, true, WRONG_TYPE, AttributeType.BOOL, 1));
        }
        return item.get("time") instanceof AttributeValue.S
                ? Optional.of(new Unsuitable(time, false, WRONG_TYPE, AttributeType.S, 4))
                : Optional.empty();
    }

    /** A task and what of its work is where: in its stores, in Kafka, committed. */
    private static final class Task {

        private final Random random;
        private final long compactedUpTo;
        private final KeyValueStore<Bytes, byte[]> read = store("read");
        private final KeyValueStore<Bytes, byte[]> violations = store("violations");
        private final List<Map.Entry<Bytes, Binary>> changelog;
        private final ProjectionLedger ledger;
        private int durable;
        private byte @Nullable [] durableRow;

        Task(Random random) {
            this(random, 0);
        }

        Task(Random random, long compactedUpTo) {
            this(random, compactedUpTo, List.of(), null);
        }

        private Task(
                Random random,
                long compactedUpTo,
                List<Map.Entry<Bytes, Binary>> changelog,
                byte @Nullable [] row) {
            this.random = random;
            this.compactedUpTo = compactedUpTo;
            this.changelog = new ArrayList<>(changelog);
            this.durable = changelog.size();
            this.durableRow = row;
            changelog.forEach(
                    write ->
                            violations.put(
                                    write.getKey(),
                                    write.getValue().size() == 0
                                            ? null
                                            : write.getValue().toByteArray()));
            if (row != null) {
                read.put(ROW, row);
            }
            this.ledger = new ProjectionLedger(read, violations, RECORD, compactedUpTo);
        }

        void process(ChangeRecord change) {
            Bytes key = Bytes.wrap(ViolationRecord.key(change));
            byte[] before = violations.get(key);
            ledger.take(change, PROJECTION.project(change));
            byte[] after = violations.get(key);
            if (before != after) {
                changelog.add(Map.entry(key, Binary.wrap(after == null ? new byte[0] : after)));
            }
        }

        /** All is in Kafka before positions are committed. */
        void commit() {
            durable = changelog.size();
            durableRow = read.get(ROW);
        }

        /**
         * Returns the task that goes on when the process is killed: of the list's changes since the
         * last commit the first ones are in Kafka, and the row with or without them.
         */
        Task afterKill() {
            int kept = durable + random.nextInt(changelog.size() - durable + 1);
            byte[] row = random.nextBoolean() ? read.get(ROW) : durableRow;
            return new Task(random, compactedUpTo, changelog.subList(0, kept), row);
        }

        Map<Bytes, String> list() {
            Map<Bytes, String> list = new HashMap<>();
            try (KeyValueIterator<Bytes, byte[]> rows = violations.all()) {
                rows.forEachRemaining(
                        row -> list.put(row.key, new String(row.value, StandardCharsets.UTF_8)));
            }
            return list;
        }

        private static KeyValueStore<Bytes, byte[]> store(String name) {
            return Stores.inMemoryKeyValueStore(name).get();
        }
    }
}
