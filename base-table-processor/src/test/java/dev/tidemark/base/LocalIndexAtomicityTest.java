package dev.tidemark.base;

import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.base.RandomCommands.Step;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexEntry;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.WriteOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Local indexes are exactly as fresh as their table. */
class LocalIndexAtomicityTest {

    private static final TableDefinition TABLE = TestTables.things(1);

    @TempDir private Path folder;

    @Test
    void whenAnOutcomeIsToldTheLocalIndexesHoldTheWrite() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(put(item("p", 1, "a", "x", "n", 5)));

            assertThat(partition.storedLocalEntries())
                    .isEqualTo(projection(List.of(item("p", 1, "a", "x", "n", 5))))
                    .hasSize(2);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void afterEveryCommandTableAndLocalIndexesAreWhatANaiveTableSays(long seed) {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            RandomCommands commands = new RandomCommands(seed);
            long sequence = 0;
            for (int number = 0; number < 300; number++) {
                // When
                Step step = commands.next();
                WriteOutcome outcome = partition.send(step.write());

                // Then
                assertThat(kind(outcome)).as("%s", step).isEqualTo(step.expected());
                sequence += step.before().equals(step.after()) ? 0 : 1;
                assertThat(partition.progress().sequence().value()).isEqualTo(sequence);
                assertThat(partition.storedItems()).isEqualTo(stored(commands.items()));
                assertThat(partition.storedLocalEntries())
                        .as("%s", step)
                        .isEqualTo(projection(commands.items()));
                List<ChangeRecord> changes = partition.changes();
                assertThat(changes).hasSize(step.before().equals(step.after()) ? 0 : 1);
                for (ChangeRecord change : changes) {
                    assertThat(change.before()).isEqualTo(step.before());
                    assertThat(change.after()).isEqualTo(step.after());
                    assertThat(change.origin().position().sequence()).isEqualTo(sequence);
                }
            }
        }
    }

    private static String kind(WriteOutcome outcome) {
        return outcome.match(
                new WriteOutcome.Cases<>() {
                    @Override
                    public String applied(WriteOutcome.Applied applied) {
                        return "APPLIED";
                    }

                    @Override
                    public String conditionFailed(WriteOutcome.ConditionFailed failed) {
                        return "CONDITION_FAILED";
                    }

                    @Override
                    public String refused(WriteOutcome.Refused refused) {
                        return "REFUSED";
                    }
                });
    }

    private static Map<Bytes, Item> stored(Iterable<Item> items) {
        Map<Bytes, Item> stored = new TreeMap<>();
        items.forEach(
                item ->
                        stored.put(
                                Bytes.wrap(StorageKeys.item(TABLE.key().keyOf(item).orElseThrow())),
                                item));
        return stored;
    }

    private static Map<Bytes, Item> projection(Iterable<Item> items) {
        return projection(TABLE, items);
    }

    /** Returns what the local indexes of {@code table} hold if it holds {@code items}. */
    static Map<Bytes, Item> projection(TableDefinition table, Iterable<Item> items) {
        Map<Bytes, Item> projection = new TreeMap<>();
        for (LocalIndex index : table.localIndexes()) {
            IndexMaintenance maintenance =
                    new IndexMaintenance(table.key(), index.key(), index.projection());
            for (Item item : items) {
                PrimaryKey key = table.key().keyOf(item).orElseThrow();
                Optional<IndexEntry> entry = maintenance.entryFor(key, item);
                entry.ifPresent(
                        found ->
                                projection.put(
                                        Bytes.wrap(
                                                StorageKeys.localEntry(
                                                        index.id(), found.indexKey(), key)),
                                        found.projected()));
            }
        }
        return projection;
    }
}
