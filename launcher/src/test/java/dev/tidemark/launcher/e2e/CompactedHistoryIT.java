package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.demo.IndexComparison;
import dev.tidemark.launcher.node.Engines;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A table that keeps a compact history, whose changes are compacted as hard as Kafka can: small
 * segments, no lag, a cleaner that never rests.
 */
class CompactedHistoryIT {

    private static final int KEYS = 40;

    private static SharedNode.RunningNode running;

    private final Random random = new Random(7);
    private final Map<Integer, Long> sequences = new TreeMap<>();

    @BeforeAll
    static void start() throws Exception {
        running = SharedNode.RunningNode.start(Map.of("index.backfill-rate", "150"));
        try (Admin admin = admin()) {
            set(
                    admin,
                    new ConfigResource(ConfigResource.Type.BROKER, ""),
                    "log.cleaner.backoff.ms",
                    "50");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void indexesStayRightWhileTheHistoryIsCompactedUnderThem() throws Exception {
        // Given
        create("Compacted");
        write("Compacted", 1_500);
        awaitCompaction("Compacted", 1_000);

        // When: an index is filled from what is left, slowly, while writes go on
        wire().call("UpdateTable", TableRequest.adding("Compacted", "later", "h:S,pk:S", "ALL"))
                .ok();
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(policy("Compacted")).isEqualTo("delete"));
        write("Compacted", 300);
        wire().awaitActive("Compacted");

        // Then
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(policy("Compacted")).isEqualTo("compact"));
        write("Compacted", 200);
        assertIndexesAgree("Compacted");
        assertThat(generation("Compacted", "later")).isEqualTo(1);
        assertThat(generation("Compacted", "byG")).isEqualTo(1);
    }

    @Test
    void anIndexThatCompactionOvertakesIsBuiltAnew() throws Exception {
        // Given
        create("Overtaken");
        write("Overtaken", 200);
        wire().call("Query", Items.query("Overtaken", "byG", "g = :0", "g1")).ok();
        KafkaStreams engine = engine("Overtaken");

        // When: more than Streams reads ahead while it rests
        engine.pause();
        write("Overtaken", 3_000);
        awaitCompaction("Overtaken", 2_500);
        engine.resume();

        // Then: it answers nothing wrong, and in the end what is right
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(generation("Overtaken", "byG")).isGreaterThan(1));
        write("Overtaken", 50);
        assertIndexesAgree("Overtaken");
    }

    @Test
    void theHistoryIsChosenWhenTheTableIsMade() {
        wire().create(TableRequest.of("Chosen", "pk:S").tag("tidemark:history", "full"));
        ObjectNode tag =
                Wire.JSON
                        .createObjectNode()
                        .put("ResourceArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Chosen");
        tag.putArray("Tags").addObject().put("Key", "tidemark:history").put("Value", "compact");

        Wire.Answer answer = wire().call("TagResource", tag);

        assertThat(answer.refused("ValidationException").message())
                .contains("fixed when it is made");
        wire().call(
                        "CreateTable",
                        TableRequest.of("Wrong", "pk:S").tag("tidemark:history", "none").json())
                .refused("ValidationException");
    }

    private static Wire wire() {
        return running.wire();
    }

    private void create(String table) throws Exception {
        wire().create(
                        TableRequest.of(table, "pk:S")
                                .global("byG", "g:S,pk:S", "ALL")
                                .tag("tidemark:history", "compact"));
        try (Admin admin = admin()) {
            ConfigResource topic = topic(table);
            set(admin, topic, "segment.ms", "50");
            set(admin, topic, "min.compaction.lag.ms", "0");
            set(admin, topic, "min.cleanable.dirty.ratio", "0.01");
            set(admin, topic, "delete.retention.ms", "0");
        }
    }

    /** Puts items again and again under other index keys, without some, and deletes some. */
    private void write(String table, int times) {
        for (int time = 0; time < times; time++) {
            String key = "key" + random.nextInt(KEYS);
            Wire.Answer answer;
            if (random.nextInt(5) == 0) {
                answer = wire().delete(table, item("pk", key));
            } else {
                List<Object> attributes =
                        new ArrayList<>(List.of("pk", key, "n", time, "pad", "x".repeat(1_000)));
                if (random.nextInt(6) > 0) {
                    attributes.addAll(List.of("g", "g" + random.nextInt(4)));
                }
                if (random.nextInt(6) > 0) {
                    attributes.addAll(List.of("h", "h" + random.nextInt(4)));
                }
                answer = wire().put(table, item(attributes.toArray()));
            }
            String[] position = answer.ok().header("x-tidemark-position").split(":", -1);
            sequences.merge(
                    Integer.valueOf(position[position.length - 2]),
                    Long.valueOf(position[position.length - 1]),
                    Math::max);
        }
    }

    /** Waits until so many of the changes are no longer in the topic; writes now and then. */
    private void awaitCompaction(String table, int removed) {
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> {
                            // only what is written makes Kafka begin a new segment
                            write(table, 1);
                            long made =
                                    sequences.values().stream().mapToLong(Long::longValue).sum();
                            assertThat(made - changesIn(table)).isGreaterThan(removed);
                        });
    }

    private static long changesIn(String table) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", running.node().bootstrapServers());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(log(table).changes()).stream()
                            .map(info -> new TopicPartition(info.topic(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            long found = 0;
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < end.get(partition))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                    found += record.value() == null ? 0 : 1;
                }
            }
            return found;
        }
    }

    private static void assertIndexesAgree(String table) {
        Endpoint server = new Endpoint(running.node().uri());
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> {
                            IndexComparison.Result result =
                                    new IndexComparison(server, table).compare();
                            assertThat(result.agrees()).as(() -> result.toString()).isTrue();
                            assertThat(result.items()).isPositive();
                        });
    }

    private static int generation(String table, String index) {
        JsonNode indexes =
                wire().call(
                                "Tidemark.DescribeIndexes",
                                Items.request(table).put("IndexName", index))
                        .ok()
                        .body()
                        .path("Indexes");
        return indexes.get(0).path("Generation").asInt();
    }

    private static String policy(String table) throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return admin.describeConfigs(List.of(topic(table)))
                    .all()
                    .get()
                    .get(topic(table))
                    .get("cleanup.policy")
                    .value();
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", running.node().bootstrapServers()));
    }

    private static ConfigResource topic(String table) {
        return new ConfigResource(ConfigResource.Type.TOPIC, log(table).changes());
    }

    private static TableLog log(String table) {
        return new TableLog(running.node().bootstrapServers(), table);
    }

    private static KafkaStreams engine(String table) {
        TableId id = new TableId(log(table).writes().split("\\.", -1)[2]);
        return Engines.of(running.node(), new IndexId(id, new IndexName("byG"), 1));
    }

    private static void set(Admin admin, ConfigResource resource, String name, String value)
            throws ExecutionException, InterruptedException {
        AlterConfigOp change =
                new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(new HashMap<>(Map.of(resource, List.of(change)))).all().get();
    }
}
