package dev.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTopicsIT {

    /** What no machine that works takes: a test that waits so long hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    @TempDir static Path folder;
    private static EmbeddedKafka kafka;
    private static Admin admin;

    private final LogTopics topics = topics();
    private final WriteCodec codec = new WriteCodec(new InMemorySchemaRegistry());

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        kafka.close();
    }

    @Test
    void topicsAreMadeOnceAndKeepEverything() throws Exception {
        TableDefinition table = table("Made", 3);
        topics.create(table);
        topics.create(table);
        assertThat(names())
                .contains(
                        table.topics().writes(),
                        table.topics().changes(),
                        table.topics().rejects());
        Config writes = config(table.topics().writes());
        assertThat(writes.get("retention.ms").value()).isEqualTo("-1");
        assertThat(writes.get("cleanup.policy").value()).isEqualTo("delete");
        assertThat(writes.get("max.message.bytes").value()).isEqualTo("2097152");
        assertThat(config(table.topics().changes()).get("max.message.bytes").value())
                .isEqualTo("4194304");
        assertThatThrownBy(() -> topics.create(table("Made", 4)))
                .isInstanceOf(TopicsException.class)
                .hasMessage("A topic of the table has another number of partitions");
    }

    @Test
    void removedTopicsAreGoneAndCanBeRemovedAgain() throws Exception {
        TableDefinition table = table("Removed", 1);
        topics.create(table);
        topics.delete(table);
        topics.delete(table);
        assertThat(names()).noneMatch(name -> name.contains("Removed"));
    }

    @Test
    void whatIsAppendedIsInTheLogAndJoinedWithItsOutcome() throws Exception {
        TableDefinition table = table("Appended", 2);
        topics.create(table);
        WriteOutcome applied =
                new WriteOutcome.Applied(new Position(0, 1), Optional.empty(), Optional.empty());
        try (KafkaWriteLog log =
                        KafkaWriteLog.open(
                                IngestSettings.defaults(kafka.bootstrapServers()),
                                codec,
                                InstantSource.fixed(NOW),
                                AppendListener.NONE);
                Consumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                                new ByteArrayDeserializer(),
                                new ByteArrayDeserializer())) {
            List<CompletableFuture<WriteOutcome>> results = new ArrayList<>();
            for (int sensor = 0; sensor < 100; sensor++) {
                results.add(log.append(table, put("s" + sensor)).toCompletableFuture());
            }
            CompletableFuture<Long> barrier =
                    log.appendTo(table, 1, new Write.Barrier()).toCompletableFuture();

            List<TopicPartition> partitions =
                    List.of(
                            new TopicPartition(table.topics().writes(), 0),
                            new TopicPartition(table.topics().writes(), 1));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<WriteCommand> seen = new ArrayList<>();
            AtomicLong barrierAt = new AtomicLong();
            await().atMost(PATIENCE)
                    .until(
                            () -> {
                                for (ConsumerRecord<byte[], byte[]> record :
                                        consumer.poll(Duration.ofMillis(100))) {
                                    assertThat(record.timestamp()).isEqualTo(NOW.toEpochMilli());
                                    WriteCommand command = codec.decode(record.value());
                                    if (command.write() instanceof Write.Barrier) {
                                        barrierAt.set(record.offset());
                                    }
                                    seen.add(command);
                                    command.requestId().ifPresent(id -> log.decided(id, applied));
                                }
                                return seen.size() == 101;
                            });
            assertThat(results)
                    .allSatisfy(
                            result ->
                                    assertThat(result).succeedsWithin(PATIENCE).isEqualTo(applied));
            assertThat(barrier).succeedsWithin(PATIENCE).isEqualTo(barrierAt.get());
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(log.inFlight()).isZero());
        }
    }

    @Test
    void withoutItsTopicAWriteFailsAndGivesUpItsRoom() {
        try (KafkaWriteLog log =
                KafkaWriteLog.open(
                        impatient(), codec, InstantSource.fixed(NOW), AppendListener.NONE)) {
            CompletableFuture<WriteOutcome> result =
                    log.append(table("Missing", 2), put("s1")).toCompletableFuture();
            assertThat(result)
                    .failsWithin(PATIENCE)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ApiException.class);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(log.inFlight()).isZero());
        }
    }

    private static IngestSettings impatient() {
        IngestSettings defaults = IngestSettings.defaults(kafka.bootstrapServers());
        return new IngestSettings(
                defaults.bootstrapServers(),
                defaults.clientId(),
                defaults.linger(),
                defaults.compression(),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                defaults.maxInFlight(),
                defaults.maxInFlightBytes(),
                Map.of());
    }

    private static LogTopics topics() {
        return new LogTopics(admin, TopicSettings.replicated(1));
    }

    private static TableDefinition table(String name, int partitions) {
        return new TableDefinition(
                new TableName(name),
                TableId.random(new Random(name.hashCode())),
                KeySchema.simple(new KeyAttribute("sensor", KeyType.S)),
                List.of(),
                List.of(),
                partitions,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                NOW,
                TableStatus.CREATING);
    }

    private static Write put(String sensor) {
        return new Write.PutItem(
                new Item(Map.of("sensor", new AttributeValue.S(sensor))),
                Optional.empty(),
                Placeholders.NONE);
    }

    private static List<String> names() throws Exception {
        return List.copyOf(admin.listTopics().names().get());
    }

    private static Config config(String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return Objects.requireNonNull(
                admin.describeConfigs(List.of(resource)).all().get().get(resource));
    }
}
