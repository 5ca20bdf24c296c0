package dev.tidemark.base;

import static dev.tidemark.base.TestTables.delete;
import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static dev.tidemark.base.TestTables.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableOptions;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of an item collection are counted, and bounded, where the log is applied. */
class ItemCollectionTest {

    private static final int LIMIT = 200;
    private static final TableDefinition TABLE =
            TestTables.things(1).withOptions(TableOptions.DEFAULT.withItemCollectionLimit(LIMIT));

    @TempDir private Path folder;

    @Test
    void aWriteThatWouldExceedTheLimitIsRefusedAndChangesNothing() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given: 8 bytes of names and key and the text, in the table and in the index by-a
            partition.send(put(item("p", 1, "a", "x".repeat(91))));
            assertThat(sizeOf(partition.send(put(item("p", 1, "a", "x".repeat(91))))))
                    .hasValue(2 * (91 + 8));
            partition.changes();

            // When
            WriteOutcome more = partition.send(put(item("p", 2)));
            WriteOutcome larger =
                    partition.send(update(item("p", 1), "SET a = :a", ":a", "x".repeat(93)));

            // Then
            assertThat(List.of(more, larger))
                    .containsOnly(
                            new WriteOutcome.Refused(
                                    ApiError.ITEM_COLLECTION_SIZE_LIMIT,
                                    "Collection size exceeded."));
            assertThat(partition.changes()).isEmpty();
            assertThat(partition.storedItems()).hasSize(1);
        }
    }

    @Test
    void aFullCollectionMayShrinkAndOthersMayGrow() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(put(item("p", 1, "a", "x".repeat(50))));
            partition.send(put(item("p", 2, "b", "x".repeat(70))));

            Stream.of(
                            update(item("p", 2), "SET b = :b", ":b", "y".repeat(70)),
                            put(item("p", 2, "b", "x".repeat(10))),
                            put(item("q", 2, "b", "x".repeat(150))),
                            delete(item("p", 2)))
                    .forEach(
                            write ->
                                    assertThat(partition.send(write))
                                            .isInstanceOf(WriteOutcome.Applied.class));

            assertThat(sizeOf(partition.send(delete(item("p", 1))))).hasValue(0);
            assertThat(sizeOf(partition.send(delete(item("p", 1))))).hasValue(0);
        }
    }

    @Test
    void aTableWithoutLocalIndexesCountsNothing() {
        TableDefinition plain =
                TestTables.plain(1)
                        .withOptions(TableOptions.DEFAULT.withItemCollectionLimit(LIMIT));
        try (TestPartition partition = new TestPartition(plain, folder)) {
            WriteOutcome outcome = partition.send(put(item("p", 1, "a", "x".repeat(1_000))));

            assertThat(sizeOf(outcome)).isEmpty();
            assertThat(partition.hasLocalStore()).isFalse();
        }
    }

    /** Whatever was written, deleted and refused before: the size is that of what is there. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theSizeIsThatOfTheItemsAndTheirEntries(long seed) {
        try (TestPartition partition = new TestPartition(TestTables.things(1), folder)) {
            RandomCommands commands = new RandomCommands(seed);
            for (int step = 0; step < 500; step++) {
                Write write = commands.next().write();
                OptionalLong told = sizeOf(partition.send(write));
                AttributeValue pk =
                        write.addressed().flatMap(item -> item.attribute("pk")).orElseThrow();
                long there =
                        Stream.concat(
                                        partition.storedItems().values().stream(),
                                        partition.storedLocalEntries().values().stream())
                                .filter(item -> pk.equals(item.get("pk")))
                                .mapToLong(Item::size)
                                .sum();
                if (told.isPresent()) {
                    assertThat(told).hasValue(there);
                }
            }
        }
    }

    private static OptionalLong sizeOf(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Applied applied
                ? applied.collectionSize()
                : OptionalLong.empty();
    }
}
