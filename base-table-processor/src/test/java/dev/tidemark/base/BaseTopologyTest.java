package dev.tidemark.base;

import static dev.tidemark.base.TestTables.delete;
import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static dev.tidemark.base.TestTables.putIf;
import static dev.tidemark.base.TestTables.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseTopologyTest {

    private static final TableDefinition TABLE = TestTables.things(1);

    @TempDir private Path folder;

    @Test
    void operatorsStoresAndTopicsKeepTheirNames() throws IOException {
        String described =
                BaseTopology.of(
                                TABLE,
                                new InMemorySchemaRegistry(),
                                new ProgressBoard(),
                                (requestId, outcome) -> {},
                                BaseListener.NONE)
                        .describe()
                        .toString();

        assertThat(described).isEqualTo(golden("topology/base.txt"));
    }

    @Test
    void aChangeCarriesImagesSequenceOffsetAndTheTimeOfItsCommand() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given
            Item first = item("p", 1, "a", "x");
            Item second = item("p", 1, "a", "y");

            // When
            partition.send(put(first));
            partition.send(new Write.Barrier());
            partition.send(put(second));
            partition.send(delete(item("p", 1)));

            // Then
            PrimaryKey key = TABLE.key().keyOf(first).orElseThrow();
            assertThat(partition.changes())
                    .containsExactly(
                            new ChangeRecord.Inserted(key, origin(1, 0), first),
                            new ChangeRecord.Modified(key, origin(2, 2), first, second),
                            new ChangeRecord.Removed(key, origin(3, 3), second));
        }
    }

    @Test
    void aChangeIsKeyedByTheItemAndHasTheTimestampOfItsCommandAndNoHeaders() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.send(put(item("p", 1)));

            // Then
            TestRecord<byte[], byte[]> change = partition.rawChanges().get(0);
            KeyBytes key = new KeyBytes();
            KeyEncoding.write(TestTables.value("p"), key);
            KeyEncoding.write(TestTables.value(1), key);
            assertThat(change.key()).isEqualTo(key.toByteArray());
            assertThat(change.getRecordTime()).isEqualTo(TestPartition.START);
            assertThat(change.headers().toArray()).isEmpty();
        }
    }

    @Test
    void aWriteThatChangesNothingSendsNoChangeAndTakesNoSequence() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given
            partition.send(put(item("p", 1, "a", "x")));
            partition.changes();

            // When
            WriteOutcome outcome = partition.send(put(item("p", 1, "a", "x")));

            // Then
            Optional<Item> stored = Optional.of(item("p", 1, "a", "x"));
            assertThat(outcome)
                    .isEqualTo(
                            new WriteOutcome.Applied(
                                    new Position(0, 1), stored, stored, OptionalLong.of(18)));
            assertThat(partition.changes()).isEmpty();
            assertThat(partition.progress().applied().value()).isEqualTo(2);
        }
    }

    @Test
    void whoIsToldAnOutcomeFindsItsChangeOnTheBoardAndInTheStore() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.send(put(item("p", 1)));
            partition.send(put(item("p", 2)));
            partition.send(delete(item("p", 1)));

            // Then
            assertThat(partition.told())
                    .containsExactly(
                            "sequence 1, applied 0, items 1",
                            "sequence 2, applied 1, items 2",
                            "sequence 3, applied 2, items 1");
            assertThat(partition.progress().applied().value()).isEqualTo(3);
        }
    }

    @Test
    void anOutcomeTellsPositionAndImages() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(put(item("p", 1, "n", 1)));

            assertThat(partition.send(update(item("p", 1), "ADD n :one", ":one", 1)))
                    .isEqualTo(
                            new WriteOutcome.Applied(
                                    new Position(0, 2),
                                    Optional.of(item("p", 1, "n", 1)),
                                    Optional.of(item("p", 1, "n", 2)),
                                    OptionalLong.of(20)));
            assertThat(partition.send(putIf("attribute_not_exists(pk)", item("p", 1))))
                    .isEqualTo(new WriteOutcome.ConditionFailed(Optional.of(item("p", 1, "n", 2))));
        }
    }

    @Test
    void ofManyConditionalPutsOfOneKeyExactlyOneSucceeds() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            for (int writer = 0; writer < 50; writer++) {
                partition.send(putIf("attribute_not_exists(pk)", item("p", 1, "writer", writer)));
            }

            // Then
            assertThat(partition.outcomes())
                    .filteredOn(outcome -> outcome instanceof WriteOutcome.Applied)
                    .hasSize(1);
            assertThat(partition.storedItems().values()).containsExactly(item("p", 1, "writer", 0));
        }
    }

    @Test
    void theSameReadingTwiceIsOneItemAndReadingsAMillisecondApartAreTwo() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.sendUnattended(put(item("sensor", 1_000, "n", 20)));
            partition.sendUnattended(put(item("sensor", 1_000, "n", 20)));
            partition.sendUnattended(put(item("sensor", 1_001, "n", 21)));

            // Then
            assertThat(partition.storedItems().values())
                    .containsExactly(
                            item("sensor", 1_000, "n", 20), item("sensor", 1_001, "n", 21));
            assertThat(partition.changes())
                    .extracting(change -> change.origin().position().sequence())
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    void aMistypedIndexKeyIsRefusedUntilTheLogDefinesOtherIndexKeys() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given
            Write mistyped = put(item("p", 1, "g", 5));
            assertThat(partition.send(mistyped)).isInstanceOf(WriteOutcome.Refused.class);

            // When
            partition.send(new Write.DefineIndexKeys(1, List.of()));

            // Then
            assertThat(partition.send(mistyped)).isInstanceOf(WriteOutcome.Applied.class);
            assertThat(partition.rejects()).isEmpty();
        }
    }

    @Test
    void itemsLieUnderTheirStorageKeysAboveTheStoresOwnData() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.send(put(item("p", 1, "a", "x")));

            // Then
            PrimaryKey key = TABLE.key().keyOf(item("p", 1)).orElseThrow();
            assertThat(partition.storedItems())
                    .isEqualTo(Map.of(Bytes.wrap(StorageKeys.item(key)), item("p", 1, "a", "x")));
            assertThat(partition.items().get(Bytes.wrap(StorageKeys.metadata(1, 0))))
                    .as("version, sequence, next offset, time of the last change")
                    .asHexString()
                    .isEqualTo("01" + "0000000000000001" + "0000000000000001" + "0000019B76DAA800");
        }
    }

    @Test
    void aTableWithoutLocalIndexesHasNoStoreForThem() {
        try (TestPartition partition = new TestPartition(TestTables.plain(1), folder)) {
            assertThat(partition.send(put(item("p", 1)))).isInstanceOf(WriteOutcome.Applied.class);
            assertThat(partition.hasLocalStore()).isFalse();
        }
    }

    private static ChangeOrigin origin(long sequence, long offset) {
        return new ChangeOrigin(
                new Position(0, sequence), offset, TestPartition.START.plusMillis(offset));
    }

    private static String golden(String resource) throws IOException {
        try (var in = BaseTopologyTest.class.getClassLoader().getResourceAsStream(resource)) {
            return in == null
                    ? "no such resource"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
