package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.cli.RootCommand;
import dev.tidemark.launcher.node.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Items that a new index has no place for. Source: DynamoDB's guide, "Detecting and correcting
 * index key violations": backfill skips them and ends, and later such writes are refused.
 */
@SuppressWarnings("unchecked") // the client takes lists of generic types as varargs
class ViolationsIT {

    private static final String TABLE = "Parcels";
    private static final String INDEX = "byOwner";
    private static final int GOOD = 10;

    private static SharedNode.RunningNode running;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void itemsWithoutAPlaceAreListedUntilTheyAreMendedOrDeleted() {
        // Given
        wire().create(TableRequest.of(TABLE, "id:S").tag("tidemark:partitions", "3"));
        try (DynamoDbClient client = Sdk.client(running.node().uri()).build()) {
            for (int n = 0; n < GOOD; n++) {
                put(client, "good-" + n, text("owner-" + n % 3));
            }
            put(client, "number", AttributeValue.fromN("7"));
            put(client, "long", text("x".repeat(3_000)));
            put(client, "empty", text(""));

            // When
            addIndex(client);

            // Then
            assertThat(indexed(client)).isEqualTo(GOOD);
            assertListed(
                    Map.of(
                            "number",
                            "Type mismatch for Index Key owner Expected: S Actual: N",
                            "long",
                            "Index Key owner has 3000 bytes, of which a partition key may have at"
                                    + " most 2048",
                            "empty",
                            "Index Key owner is an empty value"));
            JsonNode number = listed().get("number");
            assertThat(number.path("Violation").asText()).isEqualTo("WRONG_TYPE");
            assertThat(number.path("ExpectedType").asText()).isEqualTo("S");
            assertThat(number.path("ActualType").asText()).isEqualTo("N");
            assertThat(listed().get("long").path("Size").asInt()).isEqualTo(3_000);
            assertThat(listed().get("long").path("SizeLimit").asInt()).isEqualTo(2_048);

            // When: later such writes come
            refused(client, "new", AttributeValue.fromN("8"), "Type mismatch for Index Key owner");
            refused(client, "new", text(""), "cannot contain an empty string value");
            refused(client, "new", text("x".repeat(2_049)), "2048 bytes");
            refused(client, "good-1", AttributeValue.fromBool(true), "Type mismatch for Index Key");

            // Then
            assertThat(listed()).hasSize(3);

            // When: one is mended, another changes and stays as it is, the third goes
            put(client, "number", text("seven"));
            client.updateItem(
                    update ->
                            update.tableName(TABLE)
                                    .key(Map.of("id", text("long")))
                                    .updateExpression("SET note = :n")
                                    .expressionAttributeValues(Map.of(":n", text("heavy"))));
            client.deleteItem(delete -> delete.tableName(TABLE).key(Map.of("id", text("empty"))));

            // Then
            await().atMost(Wire.SOON).untilAsserted(() -> assertThat(listed()).hasSize(1));
            assertThat(listed()).containsOnlyKeys("long");
            await().atMost(Wire.SOON)
                    .untilAsserted(() -> assertThat(indexed(client)).isEqualTo(GOOD + 1));
        }

        // When
        restart();

        // Then
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(listed()).containsOnlyKeys("long"));
        assertThat(listed()).isEqualTo(listedInKafka());
        assertThat(
                        wire().metric(
                                        "tidemark_index_violations",
                                        "table=\"" + TABLE + "\"",
                                        "index=\"" + INDEX + "\""))
                .isEqualTo("1.0");

        // When
        try (DynamoDbClient client = Sdk.client(running.node().uri()).build()) {
            client.deleteItem(delete -> delete.tableName(TABLE).key(Map.of("id", text("long"))));
            await().atMost(Wire.SOON)
                    .untilAsserted(() -> assertThat(cli()).startsWith("0: 0 items"));
            client.updateTable(
                    update ->
                            update.tableName(TABLE)
                                    .globalSecondaryIndexUpdates(
                                            change -> change.delete(i -> i.indexName(INDEX))));
        }

        // Then
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(wire().describe(TABLE).has("GlobalSecondaryIndexes"))
                                        .isFalse());
        wire().call("Tidemark.ListIndexViolations", request()).refused("ResourceNotFoundException");
        assertThat(violationTopics()).isEmpty();
    }

    @Test
    void requestsThatAreWrongAreRefused() {
        wire().create(TableRequest.of("Refusing", "id:S").global("byOwner", "owner:S", "ALL"));
        ObjectNode right = Items.request("Refusing").put("IndexName", "byOwner");
        assertThat(list(right).path("Violations")).isEmpty();
        assertThat(list(right).path("Complete").asBoolean()).isTrue();

        String list = "Tidemark.ListIndexViolations";
        wire().call(list, right.deepCopy().without("IndexName")).refused("ValidationException");
        wire().call(list, right.deepCopy().put("Limit", 0)).refused("ValidationException");
        wire().call(list, right.deepCopy().put("IndexName", "another"))
                .refused("ResourceNotFoundException");
        wire().call(list, right.deepCopy().put("Generation", 2))
                .refused("ResourceNotFoundException");
        wire().call(list, right.deepCopy().put("TableName", "Another"))
                .refused("ResourceNotFoundException");
        ObjectNode start = right.deepCopy();
        start.set("ExclusiveStartKey", Items.item("id", 5));
        wire().call(list, start).refused("ValidationException");
        // what nodes ask one another is not for clients
        wire().call("Tidemark.ListPartitionViolations", right).refused("UnknownOperationException");
    }

    private static Wire wire() {
        return running.wire();
    }

    private static void restart() {
        running.node().close();
        Node node = Node.start(SharedNode.RunningNode.config(running.folder(), Map.of()));
        running = new SharedNode.RunningNode(node, new Wire(node.uri()), running.folder());
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static void put(DynamoDbClient client, String id, AttributeValue owner) {
        client.putItem(put -> put.tableName(TABLE).item(Map.of("id", text(id), "owner", owner)));
    }

    private static void refused(
            DynamoDbClient client, String id, AttributeValue owner, String reason) {
        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(() -> put(client, id, owner))
                .withMessageContaining(reason)
                .satisfies(
                        refusal ->
                                assertThat(refusal.awsErrorDetails().errorCode())
                                        .isEqualTo("ValidationException"));
    }

    private static void addIndex(DynamoDbClient client) {
        client.updateTable(
                update ->
                        update.tableName(TABLE)
                                .attributeDefinitions(
                                        owner ->
                                                owner.attributeName("owner")
                                                        .attributeType(ScalarAttributeType.S))
                                .globalSecondaryIndexUpdates(
                                        change ->
                                                change.create(
                                                        index ->
                                                                index.indexName(INDEX)
                                                                        .keySchema(
                                                                                key ->
                                                                                        key.attributeName(
                                                                                                        "owner")
                                                                                                .keyType(
                                                                                                        KeyType
                                                                                                                .HASH))
                                                                        .projection(
                                                                                kept ->
                                                                                        kept
                                                                                                .projectionType(
                                                                                                        ProjectionType
                                                                                                                .KEYS_ONLY)))));
        await().atMost(Wire.SOON)
                .until(
                        () ->
                                client.describeTable(asked -> asked.tableName(TABLE))
                                                .table()
                                                .globalSecondaryIndexes()
                                                .get(0)
                                                .indexStatus()
                                        == IndexStatus.ACTIVE);
    }

    private static int indexed(DynamoDbClient client) {
        return client.scan(scan -> scan.tableName(TABLE).indexName(INDEX)).count();
    }

    /** Asserts that the operation, the command and the topic list these items for these reasons. */
    private static void assertListed(Map<String, String> reasons) {
        Map<String, JsonNode> listed = listed();
        assertThat(reasons(listed)).isEqualTo(reasons);
        assertThat(listedInPages()).isEqualTo(listed);
        assertThat(listedInKafka()).isEqualTo(listed);
        String shown = cli();
        assertThat(shown).startsWith("1: KEY").contains(reasons.size() + " items of " + TABLE);
        reasons.forEach(
                (id, reason) ->
                        assertThat(shown).containsPattern("\"" + id + "\".*\\Q" + reason + "\\E"));
    }

    private static Map<String, String> reasons(Map<String, JsonNode> listed) {
        return listed.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                each -> each.getValue().path("Reason").asText()));
    }

    private static ObjectNode request() {
        return Items.request(TABLE).put("IndexName", INDEX);
    }

    /** Lists as a client does that tries again while partitions come up. */
    private static JsonNode list(ObjectNode request) {
        return await().atMost(Wire.SOON)
                .until(
                        () -> wire().call("Tidemark.ListIndexViolations", request),
                        answer -> answer.status() != 503)
                .ok()
                .body();
    }

    private static Map<String, JsonNode> listed() {
        JsonNode all = list(request());
        assertThat(all.has("LastEvaluatedKey")).isFalse();
        assertThat(all.path("TotalCount").asInt(-1)).isEqualTo(all.path("Count").asInt());
        return byId(all);
    }

    private static Map<String, JsonNode> listedInPages() {
        Map<String, JsonNode> all = new TreeMap<>();
        ObjectNode request = request().put("Limit", 1);
        while (true) {
            JsonNode page = list(request);
            assertThat(page.path("Count").asInt()).isLessThanOrEqualTo(1);
            all.putAll(byId(page));
            if (!page.has("LastEvaluatedKey")) {
                return all;
            }
            request.set("ExclusiveStartKey", page.path("LastEvaluatedKey"));
        }
    }

    private static Map<String, JsonNode> byId(JsonNode page) {
        Map<String, JsonNode> all = new TreeMap<>();
        page.path("Violations").forEach(each -> all.put(each.at("/Key/id/S").asText(), each));
        return all;
    }

    /** Reads the topic as anybody may: the last text under each key is what is listed. */
    private static Map<String, JsonNode> listedInKafka() {
        Map<String, JsonNode> listed = new TreeMap<>();
        Map<String, Object> config = Map.of("bootstrap.servers", running.node().bootstrapServers());
        String topic = violationTopics().get(0);
        try (KafkaConsumer<byte[], String> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<String, String> ids = new HashMap<>();
            while (partitions.stream()
                    .anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(
                                record -> {
                                    String key = HexFormat.of().formatHex(record.key());
                                    if (record.value() == null) {
                                        listed.remove(ids.getOrDefault(key, ""));
                                    } else {
                                        JsonNode violation = parse(record.value());
                                        String id = violation.at("/Key/id/S").asText();
                                        ids.put(key, id);
                                        listed.put(id, violation);
                                    }
                                });
            }
        }
        return listed;
    }

    private static JsonNode parse(String json) {
        try {
            return Wire.JSON.readTree(json);
        } catch (IOException e) {
            throw new IllegalStateException("No JSON in the topic", e);
        }
    }

    private static List<String> violationTopics() {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", running.node().bootstrapServers()))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("td." + TABLE + "."))
                    .filter(name -> name.endsWith("-violations-changelog"))
                    .toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException("No list of topics", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Returns the exit code of the command, and what it printed. */
    private static String cli() {
        StringWriter out = new StringWriter();
        int code =
                RootCommand.run(
                        new PrintWriter(out, true),
                        new PrintWriter(new StringWriter(), true),
                        "index",
                        "violations",
                        TABLE,
                        INDEX,
                        "--endpoint",
                        running.node().uri().toString());
        return code + ": " + out;
    }
}
