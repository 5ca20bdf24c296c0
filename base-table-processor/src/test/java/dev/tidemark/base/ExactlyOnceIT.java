package dev.tidemark.base;

import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes are applied once, in log order, whatever happens to those who apply them. */
class ExactlyOnceIT {

    private static final int PARTITIONS = 2;
    private static final int KEYS = 12;

    /** After how many outcomes a thread dies. */
    private static final Set<Integer> DEATHS = Set.of(500, 1_200, 2_000, 2_600);

    @TempDir private static Path kafkaFolder;

    private static EmbeddedKafka kafka;

    @TempDir private Path folder;

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(kafkaFolder));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @Test
    void afterThreadsDieBetweenOutcomeAndCommitEveryCommandHasBeenAppliedOnceInOrder()
            throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(PARTITIONS), "crashes1");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers())) {
            // Given: an app whose thread dies again and again, in the midst of a transaction
            int count = 3_000;
            AtomicInteger outcomes = new AtomicInteger();
            BaseTableApp app =
                    running.start(
                            running.settings(folder),
                            outcome -> {
                                if (DEATHS.contains(outcomes.incrementAndGet())) {
                                    throw new DisconnectException("the thread dies here");
                                }
                            });

            // When
            Map<PrimaryKey, Long> expected = sendCounts(running, table, count);
            running.awaitApplied();

            // Then
            Map<Integer, List<ChangeRecord>> changes = running.committedChanges(count);
            assertThat(outcomes.get()).as("commands processed more than once").isGreaterThan(count);
            requireHistory(changes, count, expected);
            requireStores(running, app, table, changes);
            assertThat(running.told()).hasSize(count);
            assertThat(running.told().values())
                    .as("an outcome told twice is told alike")
                    .allSatisfy(told -> assertThat(told).hasSize(1));
            app.close();
        }
    }

    @Test
    void anAppThatStartsAgainGoesOnWithTheNextSequence() throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(PARTITIONS), "restarts");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers())) {
            // Given
            Map<PrimaryKey, Long> expected = sendCounts(running, table, 100);
            try (BaseTableApp first = running.start(folder)) {
                running.awaitApplied();
                assertThat(first.table()).isEqualTo(table);
            }

            // When: on the same folder, then on an empty one, so that the stores are restored
            merge(expected, sendCounts(running, table, 100));
            running.start(folder).close();
            merge(expected, sendCounts(running, table, 100));
            BaseTableApp last = running.start(folder.resolve("other"));
            running.awaitApplied();

            // Then
            Map<Integer, List<ChangeRecord>> changes = running.committedChanges(300);
            requireHistory(changes, 300, expected);
            requireStores(running, last, table, changes);
            last.close();
        }
    }

    @Test
    void whenTheGroupsPositionsAreLostTheReplayAppliesNothingTwice() throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(PARTITIONS), "resets01");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers())) {
            // Given
            Map<PrimaryKey, Long> expected = sendCounts(running, table, 100);
            try (BaseTableApp first = running.start(folder)) {
                running.awaitApplied();
                assertThat(first.table()).isEqualTo(table);
            }
            String group = table.topics().baseApplication();
            await().dontCatchUncaughtExceptions()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(
                            () -> running.admin().deleteConsumerGroups(List.of(group)).all().get());

            // When
            BaseTableApp second = running.start(folder);
            await().dontCatchUncaughtExceptions()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(running.passedOver()).hasSize(100));
            merge(expected, sendCounts(running, table, 50));
            running.awaitApplied();

            // Then
            Map<Integer, List<ChangeRecord>> changes = running.committedChanges(150);
            requireHistory(changes, 150, expected);
            requireStores(running, second, table, changes);
            second.close();
        }
    }

    /** Sends commands that count; applying one twice, or not, shows in the count. */
    private static Map<PrimaryKey, Long> sendCounts(
            TestTable running, TableDefinition table, int count) {
        Map<PrimaryKey, Long> expected = new HashMap<>();
        Random random = new Random(count);
        for (int number = 0; number < count; number++) {
            int which = random.nextInt(KEYS);
            Item key = item("p" + which, which);
            Write write =
                    update(key, "ADD n :one SET a = :a", ":one", 1, ":a", "a" + random.nextInt(3));
            running.send(write, key);
            expected.merge(table.key().keyOf(key).orElseThrow(), 1L, Long::sum);
        }
        return expected;
    }

    private static void merge(Map<PrimaryKey, Long> into, Map<PrimaryKey, Long> more) {
        more.forEach((key, count) -> into.merge(key, count, Long::sum));
    }

    private static void requireHistory(
            Map<Integer, List<ChangeRecord>> changes, int count, Map<PrimaryKey, Long> expected) {
        assertThat(changes.values().stream().mapToInt(List::size).sum()).isEqualTo(count);
        Map<PrimaryKey, Long> counted = new HashMap<>();
        changes.forEach(
                (partition, history) -> {
                    long sequence = 0;
                    long offset = -1;
                    for (ChangeRecord change : history) {
                        assertThat(change.origin().position().partition()).isEqualTo(partition);
                        assertThat(change.origin().position().sequence()).isEqualTo(++sequence);
                        assertThat(change.origin().writeOffset()).isGreaterThan(offset);
                        offset = change.origin().writeOffset();
                        long n = counted.merge(change.key(), 1L, Long::sum);
                        assertThat(change.after().orElseThrow().get("n"))
                                .isEqualTo(TestTables.value(n));
                    }
                });
        assertThat(counted).isEqualTo(expected);
    }

    private static void requireStores(
            TestTable running,
            BaseTableApp app,
            TableDefinition table,
            Map<Integer, List<ChangeRecord>> changes) {
        Map<Bytes, Item> items = new TreeMap<>();
        changes.values()
                .forEach(
                        history ->
                                history.forEach(
                                        change ->
                                                items.put(
                                                        Bytes.wrap(StorageKeys.item(change.key())),
                                                        change.after().orElseThrow())));
        assertThat(running.storedItems(app)).isEqualTo(items);
        assertThat(running.storedLocalEntries(app))
                .isEqualTo(LocalIndexAtomicityTest.projection(table, items.values()));
        changes.forEach(
                (partition, history) ->
                        assertThat(running.sequence(partition)).isEqualTo(history.size()));
    }
}
