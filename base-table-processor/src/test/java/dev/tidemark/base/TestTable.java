package dev.tidemark.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.base.process.ItemStore;
import dev.tidemark.lsi.LocalIndexStore;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.write.OutcomeListener;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** A table on a real broker: its topics, a writer, readers, and the apps that run it in turn. */
final class TestTable implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec commands = new WriteCodec(registry);
    private final TableDefinition table;
    private final ChangeCodec changeCodec;
    private final String bootstrapServers;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<RequestId, Set<WriteOutcome>> told = new ConcurrentHashMap<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<RejectReason> rejected = new CopyOnWriteArrayList<>();
    private final List<Long> passedOver = new CopyOnWriteArrayList<>();
    private ProgressBoard board = new ProgressBoard();
    private long nextRequest = 1;

    TestTable(TableDefinition table, String bootstrapServers) throws Exception {
        this.table = table;
        this.changeCodec = new ChangeCodec(registry, table.key());
        this.bootstrapServers = bootstrapServers;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        admin.createTopics(
                        List.of(
                                topic(table.topics().writes()),
                                topic(table.topics().changes()),
                                topic(table.topics().rejects())))
                .all()
                .get(30, TimeUnit.SECONDS);
        this.producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrapServers),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
    }

    private NewTopic topic(String name) {
        return new NewTopic(name, table.partitions(), (short) 1);
    }

    Admin admin() {
        return admin;
    }

    /** Returns an app that is started and has its partitions open. */
    BaseTableApp start(Path folder) {
        return start(BaseSettings.of(bootstrapServers, folder, "node"), outcome -> {});
    }

    /** Returns an app that is started; {@code onOutcome} runs as each outcome is told. */
    BaseTableApp start(BaseSettings settings, java.util.function.Consumer<WriteOutcome> onOutcome) {
        board = new ProgressBoard();
        OutcomeListener outcomes =
                (requestId, outcome) -> {
                    told.computeIfAbsent(requestId, id -> ConcurrentHashMap.newKeySet())
                            .add(outcome);
                    onOutcome.accept(outcome);
                };
        BaseTableApp app =
                new BaseTableApp(
                        table,
                        settings.withSessionTimeout(Duration.ofSeconds(2)),
                        registry,
                        board,
                        outcomes,
                        new Listener());
        app.start();
        await().dontCatchUncaughtExceptions()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(board.openBases()).hasSize(table.partitions()));
        return app;
    }

    BaseSettings settings(Path folder) {
        return BaseSettings.of(bootstrapServers, folder, "node");
    }

    RequestId send(Write write, Item keyed) {
        RequestId requestId = new RequestId(0, nextRequest++);
        byte[] key = Partitioning.recordKey(table.key().keyOf(keyed).orElseThrow().partition());
        sendRaw(
                Partitioning.partition(key, table.partitions()),
                key,
                commands.encode(new WriteCommand(Optional.of(requestId), write)));
        return requestId;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told of failures
    void sendRaw(int partition, byte @Nullable [] key, byte @Nullable [] value) {
        producer.send(
                new ProducerRecord<>(table.topics().writes(), partition, key, value),
                (metadata, failure) -> {
                    if (failure != null) {
                        failures.add(failure);
                    }
                });
    }

    /** Waits until the apps have applied all that was sent. */
    void awaitApplied() {
        producer.flush();
        Map<Integer, Long> ends = endOffsets(table.topics().writes());
        await().dontCatchUncaughtExceptions()
                .atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                ends.forEach(
                                        (partition, end) ->
                                                assertThat(applied(partition))
                                                        .isGreaterThanOrEqualTo(end)));
    }

    private long applied(int partition) {
        return board.base(table.id(), partition)
                .filter(BaseProgress::isOpen)
                .map(progress -> progress.applied().value())
                .orElse(-1L);
    }

    long sequence(int partition) {
        return board.base(table.id(), partition).orElseThrow().sequence().value();
    }

    /** Returns the committed changes of each partition, waiting until there are {@code count}. */
    Map<Integer, List<ChangeRecord>> committedChanges(int count) {
        Map<Integer, List<ChangeRecord>> changes = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : committed(table.topics().changes(), count)) {
            changes.computeIfAbsent(record.partition(), partition -> new ArrayList<>())
                    .add(changeCodec.decode(record.value()));
        }
        return changes;
    }

    /** Returns the committed records of a topic, waiting until there are {@code count}. */
    List<ConsumerRecord<byte[], byte[]>> committed(String topic, int count) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers",
                                bootstrapServers,
                                "isolation.level",
                                "read_committed",
                                "auto.offset.reset",
                                "earliest"),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(partitions(topic));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            await().dontCatchUncaughtExceptions()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                                assertThat(records).hasSizeGreaterThanOrEqualTo(count);
                            });
            // whatever is there beyond what was waited for
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions(topic));
            await().dontCatchUncaughtExceptions()
                    .atMost(PATIENCE)
                    .until(
                            () -> {
                                consumer.poll(Duration.ofMillis(50)).forEach(records::add);
                                return ends.entrySet().stream()
                                        .allMatch(
                                                end ->
                                                        consumer.position(end.getKey())
                                                                >= end.getValue());
                            });
            return records;
        }
    }

    private Map<Integer, Long> endOffsets(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrapServers),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            Map<Integer, Long> ends = new HashMap<>();
            consumer.endOffsets(partitions(topic))
                    .forEach((partition, end) -> ends.put(partition.partition(), end));
            return ends;
        }
    }

    private List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    Map<Bytes, Item> storedItems(BaseTableApp app) {
        return stored(app, ItemStore.NAME);
    }

    Map<Bytes, Item> storedLocalEntries(BaseTableApp app) {
        return stored(app, LocalIndexStore.NAME);
    }

    /** Returns whether an item, or what an index shows of it, is stored under {@code key}. */
    static boolean holdsItem(String store, byte[] key) {
        return !StorageKeys.isMetadata(key)
                && !(store.equals(LocalIndexStore.NAME) && StorageKeys.isCollection(key));
    }

    private static Map<Bytes, Item> stored(BaseTableApp app, String store) {
        Map<Bytes, Item> entries = new TreeMap<>();
        Map<Integer, QueryResult<KeyValueIterator<Bytes, byte[]>>> results =
                app.streams()
                        .query(
                                StateQueryRequest.inStore(store)
                                        .withQuery(RangeQuery.<Bytes, byte[]>withNoBounds()))
                        .getPartitionResults();
        assertThat(results).hasSize(app.table().partitions());
        results.forEach(
                (partition, result) -> {
                    try (KeyValueIterator<Bytes, byte[]> all = result.getResult()) {
                        while (all.hasNext()) {
                            KeyValue<Bytes, byte[]> entry = all.next();
                            if (holdsItem(store, entry.key.get())) {
                                entries.put(entry.key, ItemCodec.decode(entry.value));
                            }
                        }
                    }
                });
        return entries;
    }

    /** Returns every outcome each request was told; after a crash it may be told again. */
    Map<RequestId, Set<WriteOutcome>> told() {
        return new HashMap<>(told);
    }

    List<Throwable> failures() {
        return failures;
    }

    List<RejectReason> rejected() {
        return rejected;
    }

    List<Long> passedOver() {
        return passedOver;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
    }

    private final class Listener implements BaseListener {
        @Override
        public void rejected(TableId id, int partition, RejectReason reason) {
            rejected.add(reason);
        }

        @Override
        public void passedOver(TableId id, int partition, long offset) {
            passedOver.add(offset);
        }

        @Override
        public void failed(TableId id, Throwable reason) {
            failures.add(reason);
        }
    }
}
