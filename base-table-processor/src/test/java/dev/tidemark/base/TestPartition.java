package dev.tidemark.base;

import dev.tidemark.base.process.ItemStore;
import dev.tidemark.lsi.LocalIndexStore;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** Partition 0 of a table under the topology driver, with what it told and sent. */
final class TestPartition implements AutoCloseable {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec commands = new WriteCodec(registry);
    private final TableDefinition table;
    private final ChangeCodec changeCodec;
    private final ProgressBoard board = new ProgressBoard();
    private final List<String> told = new ArrayList<>();
    private final List<WriteOutcome> outcomes = new ArrayList<>();
    private final List<RejectReason> rejected = new ArrayList<>();
    private final List<Long> passedOver = new ArrayList<>();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> writes;
    private final TestOutputTopic<byte[], byte[]> changes;
    private final TestOutputTopic<byte[], byte[]> rejects;
    private long now = START.toEpochMilli();
    private long nextRequest = 1;

    TestPartition(TableDefinition table, Path folder) {
        this.table = table;
        this.changeCodec = new ChangeCodec(registry, table.key());
        Properties config = new Properties();
        config.putAll(BaseSettings.of("unused:9092", folder, "node").streamsConfig(table));
        this.driver =
                new TopologyTestDriver(
                        BaseTopology.of(table, registry, board, this::decided, new Listener()),
                        config);
        this.writes =
                driver.createInputTopic(
                        table.topics().writes(),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        this.changes = output(table.topics().changes());
        this.rejects = output(table.topics().rejects());
    }

    private TestOutputTopic<byte[], byte[]> output(String topic) {
        return driver.createOutputTopic(
                topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Sends a command as a front end does and returns what it was told. */
    WriteOutcome send(Write write) {
        int before = outcomes.size();
        sendRaw(recordKey(write), encode(Optional.of(new RequestId(0, nextRequest++)), write));
        return outcomes.size() > before
                ? outcomes.get(outcomes.size() - 1)
                : new WriteOutcome.Refused(
                        dev.tidemark.model.error.ApiError.INTERNAL, "nothing was told");
    }

    /** Sends a command for whose outcome nobody waits. */
    void sendUnattended(Write write) {
        sendRaw(recordKey(write), encode(Optional.empty(), write));
    }

    /** Sends bytes; a millisecond passes with each record. */
    void sendRaw(byte @Nullable [] key, byte @Nullable [] value) {
        writes.pipeInput(new TestRecord<>(key, value, Instant.ofEpochMilli(now++)));
    }

    byte[] encode(Optional<RequestId> requestId, Write write) {
        return commands.encode(new WriteCommand(requestId, write));
    }

    byte[] recordKey(Write write) {
        return write.addressed()
                .flatMap(table.key()::keyOf)
                .map(key -> Partitioning.recordKey(key.partition()))
                .orElse(new byte[0]);
    }

    /** Returns the changes sent since the last call. */
    List<ChangeRecord> changes() {
        return changes.readRecordsToList().stream()
                .map(record -> changeCodec.decode(record.value()))
                .toList();
    }

    /** Returns the change records sent since the last call, as they are on the topic. */
    List<TestRecord<byte[], byte[]>> rawChanges() {
        return changes.readRecordsToList();
    }

    /** Returns the records put aside since the last call. */
    List<TestRecord<byte[], byte[]>> rejects() {
        return rejects.readRecordsToList();
    }

    static String header(TestRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    List<WriteOutcome> outcomes() {
        return outcomes;
    }

    /** Returns what was seen on the board whenever an outcome was told. */
    List<String> told() {
        return told;
    }

    List<RejectReason> rejected() {
        return rejected;
    }

    List<Long> passedOver() {
        return passedOver;
    }

    BaseProgress progress() {
        return board.base(table.id(), 0).orElseThrow();
    }

    KeyValueStore<Bytes, byte[]> items() {
        return driver.getKeyValueStore(ItemStore.NAME);
    }

    /** Returns the entries of the items store, the store's own data left out. */
    Map<Bytes, Item> storedItems() {
        return entries(items());
    }

    Map<Bytes, Item> storedLocalEntries() {
        return entries(driver.getKeyValueStore(LocalIndexStore.NAME));
    }

    boolean hasLocalStore() {
        return driver.getAllStateStores().containsKey(LocalIndexStore.NAME);
    }

    private static Map<Bytes, Item> entries(KeyValueStore<Bytes, byte[]> store) {
        Map<Bytes, Item> entries = new TreeMap<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> entry = all.next();
                if (TestTable.holdsItem(store.name(), entry.key.get())) {
                    entries.put(entry.key, ItemCodec.decode(entry.value));
                }
            }
        }
        return entries;
    }

    private void decided(RequestId requestId, WriteOutcome outcome) {
        outcomes.add(outcome);
        told.add(
                "sequence "
                        + progress().sequence().value()
                        + ", applied "
                        + progress().applied().value()
                        + ", items "
                        + storedItems().size());
    }

    @Override
    public void close() {
        driver.close();
    }

    private final class Listener implements BaseListener {
        @Override
        public void rejected(TableId table, int partition, RejectReason reason) {
            rejected.add(reason);
        }

        @Override
        public void passedOver(TableId table, int partition, long offset) {
            passedOver.add(offset);
        }
    }
}
