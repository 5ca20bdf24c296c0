package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.node.Engines;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** An index that stands still holds the writes of its table back, and lets them go by itself. */
class BackPressureIT {

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    @Test
    void anIndexThatStandsStillHoldsWritesBackUntilItGoesOn() {
        // Given
        NODE.wire()
                .create(
                        TableRequest.of("Pressed", "pk:S")
                                .global("gsi", "g:S", "ALL")
                                .tag("tidemark:max-lag.gsi", "20"));
        KafkaStreams engine = engine("Pressed");
        engine.pause();

        try (DynamoDbClient client = client()) {
            // When
            ThrottlingException refused =
                    await().atMost(Wire.SOON)
                            .until(
                                    () ->
                                            catchThrowableOfType(
                                                    ThrottlingException.class,
                                                    () -> put(client, "Pressed")),
                                    found -> found != null);

            // Then
            assertThat(refused.getMessage()).contains("Index: gsi, behind its table by");
            assertThat(refused.throttlingReasons())
                    .containsExactly(
                            ThrottlingReason.builder()
                                    .reason("IndexWriteKeyRangeThroughputExceeded")
                                    .resource(
                                            "arn:aws:dynamodb:us-east-1:000000000000:table/Pressed/index/gsi")
                                    .build());
            assertThat(late("Pressed").path("ThrottlesWrites").asBoolean()).isTrue();
            assertThat(late("Pressed").path("Changes").asInt()).isGreaterThan(20);
            String[] labels = {"table=\"Pressed\"", "index=\"gsi\""};
            assertThat(NODE.wire().metric("tidemark_index_late", labels)).isEqualTo("1.0");
            assertThat(
                            Double.parseDouble(
                                    NODE.wire().metric("tidemark_throttled_writes_total", labels)))
                    .isPositive();
            engine.resume();
            PutItemResponse done =
                    await().atMost(Wire.SOON)
                            .ignoreException(ThrottlingException.class)
                            .until(() -> put(client, "Pressed"), found -> found != null);
            assertThat(done.sdkHttpResponse().isSuccessful()).isTrue();
            assertThat(late("Pressed").isMissingNode()).isTrue();
            assertThat(NODE.wire().metric("tidemark_index_late", labels)).isEqualTo("0.0");
        }
    }

    @Test
    void aProvisionedTableSaysSoInItsOwnErrorAndABatchGivesBackWhatWasHeldBack() {
        // Given
        ObjectNode table =
                TableRequest.of("PressedToo", "pk:S")
                        .global("gsi", "g:S", "ALL")
                        .tag("tidemark:max-lag.gsi", "20")
                        .json()
                        .put("BillingMode", "PROVISIONED");
        table.putObject("ProvisionedThroughput")
                .put("ReadCapacityUnits", 5)
                .put("WriteCapacityUnits", 5);
        ((ObjectNode) table.path("GlobalSecondaryIndexes").get(0))
                .putObject("ProvisionedThroughput")
                .put("ReadCapacityUnits", 5)
                .put("WriteCapacityUnits", 5);
        NODE.wire().call("CreateTable", table).ok();
        NODE.wire().create(TableRequest.of("Free", "pk:S"));
        NODE.wire().awaitActive("PressedToo");
        KafkaStreams engine = engine("PressedToo");
        engine.pause();

        try (DynamoDbClient client = client()) {
            // When
            ProvisionedThroughputExceededException refused =
                    await().atMost(Wire.SOON)
                            .until(
                                    () ->
                                            catchThrowableOfType(
                                                    ProvisionedThroughputExceededException.class,
                                                    () -> put(client, "PressedToo")),
                                    found -> found != null);
            BatchWriteItemResponse batch =
                    client.batchWriteItem(
                            request ->
                                    request.requestItems(
                                            Map.of(
                                                    "Free",
                                                    List.of(write("one")),
                                                    "PressedToo",
                                                    List.of(write("two")))));

            // Then
            assertThat(refused.throttlingReasons())
                    .extracting(ThrottlingReason::reason)
                    .containsExactly("IndexWriteProvisionedThroughputExceeded");
            assertThat(batch.unprocessedItems()).containsOnlyKeys("PressedToo");
        } finally {
            engine.resume();
        }
    }

    @Test
    void withThrottlingOffTheIndexIsMarkedLateInstead() {
        // Given
        NODE.wire()
                .create(
                        TableRequest.of("Late", "pk:S")
                                .global("gsi", "g:S", "ALL")
                                .tag("tidemark:max-lag.gsi", "5"));
        KafkaStreams engine = engine("Late");
        engine.pause();
        try {
            IntStream.range(0, 6)
                    .forEach(at -> NODE.wire().put("Late", item("pk", "p" + at, "g", "g")));
            await().atMost(Wire.SOON)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    NODE.wire()
                                                            .put("Late", item("pk", "x", "g", "g"))
                                                            .error())
                                            .isEqualTo("ThrottlingException"));

            // When
            ObjectNode untag =
                    Wire.JSON
                            .createObjectNode()
                            .put(
                                    "ResourceArn",
                                    "arn:aws:dynamodb:us-east-1:000000000000:table/Late");
            ObjectNode tag = untag.deepCopy();
            tag.putArray("Tags").addObject().put("Key", "tidemark:max-lag.gsi").put("Value", "off");
            NODE.wire().call("TagResource", tag).ok();

            // Then
            await().atMost(Wire.SOON)
                    .untilAsserted(() -> NODE.wire().put("Late", item("pk", "y", "g", "g")).ok());
            tag.withArray("Tags").removeAll();
            tag.withArray("Tags")
                    .addObject()
                    .put("Key", "tidemark:max-lag.gsi")
                    .put("Value", "soon");
            assertThat(
                            NODE.wire()
                                    .call("TagResource", tag)
                                    .refused("ValidationException")
                                    .message())
                    .contains("10000/30s, or off");
        } finally {
            engine.resume();
        }
    }

    private static WriteRequest write(String key) {
        return WriteRequest.builder().putRequest(put -> put.item(attributes(key))).build();
    }

    private static PutItemResponse put(DynamoDbClient client, String table) {
        return client.putItem(
                request -> request.tableName(table).item(attributes(UUID.randomUUID().toString())));
    }

    private static Map<String, AttributeValue> attributes(String key) {
        return Map.of("pk", AttributeValue.fromS(key), "g", AttributeValue.fromS("g"));
    }

    private static JsonNode late(String table) {
        return NODE.wire()
                .describe(table)
                .path("GlobalSecondaryIndexes")
                .get(0)
                .path("TidemarkLate");
    }

    private static DynamoDbClient client() {
        return Sdk.client(NODE.uri())
                .overrideConfiguration(
                        config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    private static KafkaStreams engine(String table) {
        String topic = new TableLog(NODE.node().bootstrapServers(), table).writes();
        TableId id = new TableId(topic.split("\\.", -1)[2]);
        return Engines.of(NODE.node(), new IndexId(id, new IndexName("gsi"), 1));
    }
}
