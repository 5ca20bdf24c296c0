package dev.tidemark.gsi;

import static dev.tidemark.gsi.TestTable.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.gsi.materialize.Materializer;
import dev.tidemark.gsi.projection.ChangeGapException;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.KeyValueRule;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WireFormatException;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IndexTopologyTest {

    private static final GlobalIndex INDEX = TestTable.byPlace();
    private static final TableDefinition TABLE = TestTable.definition(1, INDEX);
    private static final IndexId INDEX_ID = new IndexId(TABLE.id(), INDEX.name(), 1);

    @TempDir Path folder;

    private final SchemaRegistry registry = new InMemorySchemaRegistry();
    private final ChangeCodec codec = new ChangeCodec(registry, TABLE.key());
    private final ProgressBoard board = new ProgressBoard();
    private final RecordingListener listener = new RecordingListener();
    private final TestTable table = new TestTable(TABLE);
    private Optional<TopologyTestDriver> running = Optional.empty();

    @AfterEach
    void stop() {
        running.ifPresent(TopologyTestDriver::close);
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void topologyIsAsRecorded(IndexGuarantee guarantee) throws IOException {
        assertThat(topology(guarantee, BackfillGaps.NONE).build().describe().toString())
                .isEqualToNormalizingNewlines(recorded());
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void changesBecomeEntriesAndTidemarks(IndexGuarantee guarantee) {
        // Given
        TestInputTopic<byte[], byte[]> changes = start(guarantee, BackfillGaps.NONE);

        // When
        send(changes, table.put(item("id", "1", "place", "a")));
        send(changes, table.put(item("id", "2", "place", "b")));
        send(changes, table.put(item("id", "1", "place", "c")));
        send(changes, table.delete("2"));

        // Then
        assertThat(entries()).isEqualTo(table.projected(INDEX).get(0));
        assertThat(progress().tidemark(0).value()).isEqualTo(4);
        assertThat(progress().timeOf(0)).isEqualTo(TestTable.FIRST_TIME + 4);
        assertThat(storedTidemark()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void changeWithoutEffectStillMovesTheTidemark(IndexGuarantee guarantee) {
        // Given
        TestInputTopic<byte[], byte[]> changes = start(guarantee, BackfillGaps.NONE);

        // When
        send(changes, table.put(item("id", "1")));

        // Then
        assertThat(entries()).isEmpty();
        assertThat(progress().tidemark(0).value()).isEqualTo(1);
    }

    @Test
    void uncommittedCopiesThatComeAgainChangeNothing() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED, BackfillGaps.NONE);
        ChangeRecord first = table.put(item("id", "1", "place", "a")).orElseThrow();
        ChangeRecord second = table.put(item("id", "1", "place", "b")).orElseThrow();
        ChangeRecord third = table.delete("1").orElseThrow();

        // When
        for (ChangeRecord change : new ChangeRecord[] {first, second, third, first, second}) {
            send(changes, Optional.of(change));
        }

        // Then
        assertThat(entries()).isEmpty();
        assertThat(progress().tidemark(0).value()).isEqualTo(3);
        send(changes, Optional.of(third));
        send(changes, table.put(item("id", "1", "place", "d")));
        assertThat(entries()).isEqualTo(table.projected(INDEX).get(0));
    }

    @Test
    void forwardGapStopsTheApp() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.EXACTLY_ONCE, BackfillGaps.NONE);
        send(changes, table.put(item("id", "1", "place", "a")));

        // When
        table.put(item("id", "1", "place", "b"));
        Optional<ChangeRecord> afterTheGap = table.put(item("id", "1", "place", "c"));

        // Then
        assertThatThrownBy(() -> send(changes, afterTheGap))
                .hasRootCauseInstanceOf(ChangeGapException.class);
        assertThat(IndexApp.isPassing(new ChangeGapException("gap", Map.of()))).isFalse();
        running = Optional.empty();
    }

    @Test
    void thatNoBrokerCouldTakeATopicPasses() {
        assertThat(
                        IndexApp.isPassing(
                                new StreamsException(
                                        new InvalidReplicationFactorException(
                                                "All brokers are currently fenced"))))
                .isTrue();
    }

    @Test
    void gapsThatCompactionLeftBeforeTheBackfillAreRight() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.EXACTLY_ONCE, new BackfillGaps(java.util.List.of(2L)));
        table.put(item("id", "1", "place", "a"));

        // When
        send(changes, table.put(item("id", "1", "place", "b")));
        send(changes, table.put(item("id", "1", "place", "c")));

        // Then
        assertThat(entries()).isEqualTo(table.projected(INDEX).get(0));
    }

    @Test
    void tombstoneIsNoChange() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.EXACTLY_ONCE, BackfillGaps.NONE);
        send(changes, table.put(item("id", "1", "place", "a")));
        ChangeRecord removed = table.delete("1").orElseThrow();
        send(changes, Optional.of(removed));

        // When
        changes.pipeInput(new TestRecord<>(keyOf(removed), null));

        // Then
        assertThat(entries()).isEmpty();
        assertThat(progress().tidemark(0).value()).isEqualTo(2);
    }

    @Test
    void recordThatIsNoChangeStopsTheApp() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.EXACTLY_ONCE, BackfillGaps.NONE);

        // Then
        assertThatThrownBy(() -> changes.pipeInput(new byte[] {1}, new byte[] {9, 9, 9}))
                .hasRootCauseInstanceOf(WireFormatException.class);
        running = Optional.empty();
    }

    @Test
    void itemThatSuitsNoEntryIsToldOnceForEachChange() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED, BackfillGaps.NONE);
        Optional<ChangeRecord> change = table.put(item("id", "1", "place", ""));

        // When
        send(changes, change);
        send(changes, change);

        // Then
        assertThat(listener.unsuitable)
                .containsExactly(
                        new Unsuitable(
                                INDEX.key().partition().get(0),
                                true,
                                KeyValueRule.Violation.EMPTY,
                                AttributeType.S,
                                0));
        assertThat(entries()).isEmpty();
    }

    @Test
    void whatBecameOfChangesIsCountedOnce() {
        // Given
        TestInputTopic<byte[], byte[]> changes =
                start(IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED, BackfillGaps.NONE);
        ChangeRecord good = table.put(item("id", "1", "place", "a")).orElseThrow();
        ChangeRecord bad = table.put(item("id", "2", "place", "")).orElseThrow();
        ChangeRecord worse = table.put(item("id", "1", "place", "")).orElseThrow();
        ChangeRecord mended = table.put(item("id", "2", "place", "b")).orElseThrow();
        ChangeRecord sparse = table.put(item("id", "3")).orElseThrow();

        // When
        for (ChangeRecord change :
                new ChangeRecord[] {good, bad, worse, good, bad, worse, mended, sparse}) {
            send(changes, Optional.of(change));
        }

        // Then
        assertThat(board.projection(INDEX_ID, 0).orElseThrow().counts())
                .isEqualTo(new ProjectionCounts(5, 5, OptionalLong.of(1), 1, true));
    }

    @Test
    void partitionIsOpenOnTheBoardWhileItsTaskRuns() {
        // When
        start(IndexGuarantee.EXACTLY_ONCE, BackfillGaps.NONE);

        // Then
        assertThat(board.openIndexes()).hasSize(1);
        assertThat(board.openProjections()).hasSize(1);
        running.orElseThrow().close();
        running = Optional.empty();
        assertThat(board.openIndexes()).isEmpty();
        assertThat(board.openProjections()).isEmpty();
    }

    private static String recorded() throws IOException {
        try (InputStream file =
                IndexTopologyTest.class.getResourceAsStream("/topology/gsi-projector.txt")) {
            assertThat(file).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private IndexTopology topology(IndexGuarantee guarantee, BackfillGaps gaps) {
        return new IndexTopology(
                TABLE, INDEX, guarantee, gaps, new BackfillPace(), registry, board, listener);
    }

    private TestInputTopic<byte[], byte[]> start(IndexGuarantee guarantee, BackfillGaps gaps) {
        Properties config =
                IndexStreamsConfig.of(
                        IndexSettings.embedded("unused:1", folder, "node-1")
                                .withGuarantee(guarantee),
                        "app");
        config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        TopologyTestDriver driver =
                new TopologyTestDriver(topology(guarantee, gaps).build(), config);
        running = Optional.of(driver);
        return driver.createInputTopic(
                TABLE.topics().changes(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void send(TestInputTopic<byte[], byte[]> changes, Optional<ChangeRecord> change) {
        ChangeRecord record = change.orElseThrow();
        changes.pipeInput(keyOf(record), codec.encode(record), record.origin().time());
        running.orElseThrow().advanceWallClockTime(Duration.ofMillis(1));
    }

    private static byte[] keyOf(ChangeRecord change) {
        KeyBytes key = new KeyBytes();
        change.key().partition().forEach(value -> KeyEncoding.write(value, key));
        return key.toByteArray();
    }

    private IndexProgress progress() {
        return board.index(INDEX_ID, 0).orElseThrow();
    }

    private Map<Binary, Item> entries() {
        Map<Binary, Item> entries = new HashMap<>();
        try (KeyValueIterator<Bytes, byte[]> rows = store().all()) {
            rows.forEachRemaining(
                    row -> {
                        if (!StorageKeys.isMetadata(row.key.get())) {
                            entries.put(Binary.copyOf(row.key.get()), ItemCodec.decode(row.value));
                        }
                    });
        }
        return entries;
    }

    private long storedTidemark() {
        return ByteBuffer.wrap(store().get(Bytes.wrap(Materializer.tidemarkKey(0)))).getLong();
    }

    private KeyValueStore<Bytes, byte[]> store() {
        return running.orElseThrow().getKeyValueStore("entries");
    }
}
