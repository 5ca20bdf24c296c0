package dev.tidemark.gsi;

import static dev.tidemark.gsi.TestTable.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexLagCalculation;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The index app on a real broker, fed as the base app feeds it: in transactions, some of which are
 * aborted and their changes sent again.
 */
class IndexAppIT {

    private static final int PARTITIONS = 3;
    private static final GlobalIndex INDEX = TestTable.byPlace();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path kafkaFolder;
    private static EmbeddedKafka kafka;
    private static Admin admin;
    private static int tables;

    @TempDir Path stateFolder;

    private final SchemaRegistry registry = new InMemorySchemaRegistry();
    private final RecordingListener listener = new RecordingListener();
    private final Random random = new Random(7);
    private TableDefinition definition;
    private TestTable table;
    private ChangeCodec codec;
    private Producer<byte[], byte[]> producer;
    private ProgressBoard board = new ProgressBoard();
    private Optional<IndexApp> running = Optional.empty();

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(kafkaFolder));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    @AfterAll
    static void stopKafka() {
        admin.close();
        kafka.close();
    }

    @BeforeEach
    void createTable() throws Exception {
        create("readings" + tables++);
    }

    private void create(String name) throws Exception {
        definition = TestTable.definition(name, PARTITIONS, INDEX);
        table = new TestTable(definition);
        codec = new ChangeCodec(registry, definition.key());
        NewTopic changes = new NewTopic(definition.topics().changes(), PARTITIONS, (short) 1);
        admin.createTopics(List.of(changes)).all().get(60, TimeUnit.SECONDS);
        producer =
                new KafkaProducer<>(
                        Map.of(
                                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                kafka.bootstrapServers(),
                                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                                definition.topics().baseApplication()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        producer.initTransactions();
    }

    @AfterEach
    void stop() {
        running.ifPresent(IndexApp::close);
        producer.close();
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void indexEqualsTheProjectedTableAlsoAcrossRestarts(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        write(300);
        awaitCaughtUp();
        assertThat(entries()).isEqualTo(table.projected(INDEX));

        // When
        running.orElseThrow().close();
        write(200);
        start(guarantee);
        write(200);

        // Then
        awaitCaughtUp();
        assertThat(entries()).isEqualTo(table.projected(INDEX));
        assertThat(listener.stopped).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void tidemarksReachTheEndAfterAStopInTheMiddleAndNoFurtherWrite(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        awaitOpen();

        // When
        write(500);
        running.orElseThrow().close();
        start(guarantee);

        // Then
        awaitCaughtUp();
        assertThat(entries()).isEqualTo(table.projected(INDEX));
        running.orElseThrow().close();
        start(guarantee);
        awaitCaughtUp();
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void lostStateFolderIsRestoredFromKafka(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        write(300);
        awaitCaughtUp();
        running.orElseThrow().close();

        // When
        stateFolder = stateFolder.resolve("another");
        start(guarantee);

        // Then
        awaitCaughtUp();
        assertThat(entries()).isEqualTo(table.projected(INDEX));
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void newIndexOfAnOldTableIsBuiltFromItsHistory(IndexGuarantee guarantee) {
        // Given
        write(500);

        // When
        start(guarantee);

        // Then
        awaitCaughtUp();
        assertThat(entries()).isEqualTo(table.projected(INDEX));
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void missingChangesStopTheAppAndCloseItsPartitions(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        write(50);
        awaitCaughtUp();

        // When
        table.put(item("id", "gap", "place", "a"));
        inTransaction(List.of(table.put(item("id", "gap", "place", "b")).orElseThrow()));

        // Then
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(listener.stopped).hasSize(1);
                            assertThat(board.openIndexes()).isEmpty();
                            assertThat(running.orElseThrow().isRunning()).isFalse();
                        });
        assertThat(listener.stopped.get(0))
                .startsWith("ChangeGapException: Changes of the table are missing from its log");
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void missingChangesAreNoticedAcrossARestart(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        write(50);
        awaitCaughtUp();
        running.orElseThrow().close();

        // When
        table.put(item("id", "gap", "place", "a"));
        inTransaction(List.of(table.put(item("id", "gap", "place", "b")).orElseThrow()));
        start(guarantee);

        // Then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(listener.stopped).hasSize(1));
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void threadsThatDieInTheMiddleLeaveAnExactIndex(IndexGuarantee guarantee) {
        // Given
        start(guarantee);
        awaitOpen();

        // When
        for (int deaths = 0; deaths < 4; deaths++) {
            write(100);
            listener.failNext.set(true);
            int before = listener.unsuitable.size();
            inTransaction(List.of(table.put(item("id", "deadly", "place", "")).orElseThrow()));
            write(100);
            inTransaction(List.of(table.put(item("id", "deadly", "place", "a")).orElseThrow()));
            await().dontCatchUncaughtExceptions()
                    .atMost(PATIENCE)
                    .until(() -> listener.unsuitable.size() > before);
        }

        // Then
        awaitCaughtUp();
        assertExact();
        assertThat(listener.stopped).isEmpty();
        running.orElseThrow().close();
        stateFolder = stateFolder.resolve("another");
        start(guarantee);
        awaitCaughtUp();
        assertExact();
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    @Tag("slow")
    void killedProcessesLeaveAnExactIndex(IndexGuarantee guarantee) throws Exception {
        // Given
        producer.close();
        create("killed");

        // When
        for (int kills = 0; kills < 4; kills++) {
            String servers = kafka.bootstrapServers();
            try (IndexAppProcess process =
                    IndexAppProcess.start(servers, stateFolder, guarantee, PARTITIONS)) {
                String group = definition.topics().indexApplication(INDEX.name(), 1);
                long before = committed(group);
                await().atMost(PATIENCE)
                        .until(
                                () -> {
                                    write(20);
                                    return committed(group) > before;
                                });
                write(100 + random.nextInt(400));
                assertThat(process.isAlive()).isTrue();
            }
        }

        // Then
        start(guarantee);
        awaitCaughtUp();
        assertExact();
        IndexApp app = running.orElseThrow();
        app.close();
        stateFolder = stateFolder.resolve("another");
        start(guarantee);
        awaitCaughtUp();
        assertExact();
        assertThat(listener.stopped).isEmpty();
        running.orElseThrow().closeForGood();
        app.topics().delete(admin, Duration.ofSeconds(10));
        admin.deleteTopics(List.of(definition.topics().changes())).all().get(60, TimeUnit.SECONDS);
    }

    /** Returns how far a group has committed, all partitions of all topics together. */
    private static long committed(String group) throws Exception {
        return admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(60, TimeUnit.SECONDS)
                .values()
                .stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(IndexGuarantee.class)
    void indexThatIsGoneLeavesNoTrace(IndexGuarantee guarantee) throws Exception {
        // Given
        start(guarantee);
        write(20);
        awaitCaughtUp();
        IndexApp app = running.orElseThrow();

        // When
        app.closeForGood();
        app.topics().delete(admin, Duration.ofSeconds(10));

        // Then
        assertThat(admin.listTopics().names().get(60, TimeUnit.SECONDS))
                .doesNotContainAnyElementsOf(app.topics().all());
        assertThat(admin.listGroups().all().get(60, TimeUnit.SECONDS))
                .noneMatch(group -> group.groupId().equals(app.topics().applicationId()));
        assertThat(stateFolder.resolve(app.topics().applicationId())).doesNotExist();
        app.topics().delete(admin, Duration.ofSeconds(10));
        running = Optional.empty();
    }

    private void start(IndexGuarantee guarantee) {
        board = new ProgressBoard();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            board.open(new BaseProgress(definition.id(), partition, 0, table.sequence(partition)));
        }
        IndexApp app =
                new IndexApp(
                        definition,
                        INDEX,
                        IndexSettings.embedded(kafka.bootstrapServers(), stateFolder, "node-1")
                                .withGuarantee(guarantee),
                        BackfillGaps.NONE,
                        registry,
                        board,
                        listener);
        running = Optional.of(app);
        app.start();
    }

    /** Makes this many changes at random and sends them as the base app would. */
    private void write(int count) {
        List<ChangeRecord> batch = new ArrayList<>();
        for (int made = 0; made < count; ) {
            String id = "item-" + random.nextInt(40);
            Optional<ChangeRecord> change =
                    switch (random.nextInt(6)) {
                        case 0 -> table.delete(id);
                        case 2 -> table.put(item("id", id, "place", "", "note", "none"));
                        case 1 -> table.put(item("id", id, "note", "n" + random.nextInt(3)));
                        default ->
                                table.put(
                                        item(
                                                "id",
                                                id,
                                                "place",
                                                "place-" + random.nextInt(6),
                                                "note",
                                                "n" + random.nextInt(3)));
                    };
            if (change.isPresent()) {
                made++;
                batch.add(change.get());
                board(change.get());
            }
            if (batch.size() >= 1 + random.nextInt(25)) {
                sendSometimesTwice(batch);
                batch.clear();
            }
        }
        sendSometimesTwice(batch);
    }

    private void board(ChangeRecord change) {
        board.base(definition.id(), change.origin().position().partition())
                .ifPresent(
                        base ->
                                base.changed(
                                        change.origin().position().sequence(),
                                        change.origin().time().toEpochMilli()));
    }

    private void sendSometimesTwice(List<ChangeRecord> batch) {
        if (random.nextInt(3) == 0) {
            producer.beginTransaction();
            send(batch.subList(0, random.nextInt(batch.size() + 1)));
            producer.flush();
            producer.abortTransaction();
        }
        inTransaction(batch);
    }

    private void inTransaction(List<ChangeRecord> batch) {
        producer.beginTransaction();
        send(batch);
        producer.commitTransaction();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit fails if a send did
    private void send(List<ChangeRecord> batch) {
        for (ChangeRecord change : batch) {
            KeyBytes key = new KeyBytes();
            change.key().partition().forEach(value -> KeyEncoding.write(value, key));
            producer.send(
                    new ProducerRecord<>(
                            definition.topics().changes(),
                            change.origin().position().partition(),
                            change.origin().time().toEpochMilli(),
                            key.toByteArray(),
                            codec.encode(change)));
        }
    }

    private void awaitOpen() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(board.openIndexes()).hasSize(PARTITIONS));
    }

    private void awaitCaughtUp() {
        awaitOpen();
        for (IndexProgress progress : board.openIndexes()) {
            for (int base = 0; base < PARTITIONS; base++) {
                assertThat(progress.tidemark(base).reaches(table.sequence(base)))
                        .succeedsWithin(PATIENCE);
            }
        }
        assertThat(new IndexLagCalculation(board, Clock.systemUTC()).ofIndex(definition, INDEX))
                .contains(IndexLag.NONE);
    }

    /** Asserts that entries, counts and the list of violations are what the table's items give. */
    private void assertExact() {
        List<Map<Binary, Item>> projected = table.projected(INDEX);
        assertThat(entries()).isEqualTo(projected);
        long changes = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            changes += table.sequence(partition);
        }
        ProjectionCounts counts =
                new ProjectionCounts(
                        changes,
                        changes,
                        OptionalLong.of(projected.stream().mapToInt(Map::size).sum()),
                        table.violating(INDEX).size(),
                        true);
        // a task that has just started reads again what was not committed
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(board.openProjections()).hasSize(PARTITIONS);
                            assertThat(
                                            board.openProjections().stream()
                                                    .map(ProjectionProgress::counts)
                                                    .reduce(
                                                            ProjectionCounts.NONE,
                                                            ProjectionCounts::plus))
                                    .isEqualTo(counts);
                            assertThat(violations()).isEqualTo(table.violating(INDEX));
                        });
    }

    private Set<Binary> violations() {
        Set<Binary> keys = new HashSet<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            rows("violations", partition, row -> keys.add(Binary.copyOf(row.key.get())));
        }
        return keys;
    }

    private List<Map<Binary, Item>> entries() {
        List<Map<Binary, Item>> partitions = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            partitions.add(entries(partition));
        }
        return partitions;
    }

    private Map<Binary, Item> entries(int partition) {
        Map<Binary, Item> entries = new HashMap<>();
        rows(
                "entries",
                partition,
                row -> {
                    if (!StorageKeys.isMetadata(row.key.get())) {
                        entries.put(Binary.copyOf(row.key.get()), ItemCodec.decode(row.value));
                    }
                });
        return entries;
    }

    private void rows(String store, int partition, Consumer<KeyValue<Bytes, byte[]>> each) {
        QueryResult<KeyValueIterator<Bytes, byte[]>> result =
                Objects.requireNonNull(
                        running.orElseThrow()
                                .streams()
                                .query(
                                        StateQueryRequest.inStore(store)
                                                .withQuery(RangeQuery.<Bytes, byte[]>withNoBounds())
                                                .withPartitions(Set.of(partition)))
                                .getPartitionResults()
                                .get(partition));
        assertThat(result.isSuccess()).isTrue();
        try (KeyValueIterator<Bytes, byte[]> rows = result.getResult()) {
            rows.forEachRemaining(each);
        }
    }
}
