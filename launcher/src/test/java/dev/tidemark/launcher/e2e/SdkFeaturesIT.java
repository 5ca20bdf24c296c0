package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ContinuousBackupsStatus;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeLimitsResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.Endpoint;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnItemCollectionMetrics;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbAsyncWaiter;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * What Amazon's client does beside sending requests one by one: asynchronously, in pages, again
 * when it is turned away, with compressed replies; and what tools ask of a table. Long for its
 * requests, one word a line.
 */
@SuppressWarnings("unchecked") // the client takes lists of generic types as varargs
class SdkFeaturesIT {

    private static final String NAME = "SdkFeatures";

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static DynamoDbAsyncClient async;
    private static DynamoDbClient client;

    @BeforeAll
    static void connect() {
        async =
                Sdk.connected(DynamoDbAsyncClient.builder(), NODE.uri())
                        .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                        .build();
        client = Sdk.client(NODE.uri()).build();
        async.createTable(table(NAME)).join();
        try (DynamoDbAsyncWaiter waiter =
                DynamoDbAsyncWaiter.builder()
                        .client(async)
                        .overrideConfiguration(Sdk.often())
                        .build()) {
            waiter.waitUntilTableExists(asked -> asked.tableName(NAME)).join();
        }
    }

    @AfterAll
    static void disconnect() {
        if (client != null) {
            client.deleteTable(table -> table.tableName(NAME));
            client.close();
            async.close();
        }
    }

    @Test
    void requestsAtOnceAreAllAnsweredAndPagesFollowEachOther() {
        // When
        CompletableFuture.allOf(
                        IntStream.range(0, 200)
                                .mapToObj(
                                        n ->
                                                async.putItem(
                                                        put ->
                                                                put.tableName(NAME)
                                                                        .item(item("many", n))))
                                .toArray(CompletableFuture<?>[]::new))
                .join();

        // Then
        QueryRequest query =
                QueryRequest.builder()
                        .tableName(NAME)
                        .keyConditionExpression("pk = :p")
                        .expressionAttributeValues(Map.of(":p", AttributeValue.fromS("many")))
                        .consistentRead(true)
                        .limit(30)
                        .build();
        List<Integer> pages = new ArrayList<>();
        List<Integer> found = new ArrayList<>();
        async.queryPaginator(query)
                .subscribe(
                        page -> {
                            pages.add(page.count());
                            page.items()
                                    .forEach(
                                            item -> found.add(Integer.valueOf(item.get("sk").n())));
                        })
                .join();
        assertThat(found).containsExactlyElementsOf(IntStream.range(0, 200).boxed().toList());
        assertThat(pages).startsWith(30, 30, 30, 30, 30, 30, 20);
        List<String> scanned = new ArrayList<>();
        async.scanPaginator(scan -> scan.tableName(NAME).indexName("gsi").limit(50))
                .items()
                .filter(item -> item.get("pk").s().equals("many"))
                .subscribe(item -> scanned.add(item.get("sk").n()))
                .join();
        assertThat(scanned).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void anErrorOfARequestAsideIsTheErrorItIs() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> async.describeTable(table -> table.tableName("Nothing")).join())
                .withCauseInstanceOf(ResourceNotFoundException.class);
    }

    /** The client compares the checksum with what it received, before it unpacks that. */
    @Test
    void aCompressedReplyHasTheChecksumOfItsCompressedBytes() {
        // Given
        Seen seen = new Seen();
        String text = "tide ".repeat(40_000);
        Map<String, AttributeValue> item =
                Map.of(
                        "pk",
                        AttributeValue.fromS("long"),
                        "sk",
                        AttributeValue.fromN("1"),
                        "text",
                        AttributeValue.fromS(text));
        try (DynamoDbClient compressing =
                Sdk.client(NODE.uri())
                        .overrideConfiguration(
                                configuration ->
                                        configuration
                                                .putHeader("Accept-Encoding", "gzip")
                                                .addExecutionInterceptor(seen))
                        .build()) {
            compressing.putItem(put -> put.tableName(NAME).item(item));

            // When
            Map<String, AttributeValue> found =
                    compressing
                            .getItem(
                                    get ->
                                            get.tableName(NAME)
                                                    .key(key("long", 1))
                                                    .consistentRead(true))
                            .item();

            // Then
            assertThat(found).isEqualTo(item);
            assertThat(seen.encodings).contains("gzip");
            assertThat(seen.checksums).isNotEmpty().doesNotContain("");
        }
    }

    @Test
    void whoIsTurnedAwayTriesAgainUntilItIsLetIn() throws IOException {
        // Given: a node that answers one request at a time
        AtomicInteger attempts = new AtomicInteger();
        try (SharedNode.RunningNode narrow =
                        SharedNode.RunningNode.start(Map.of("http.max-in-flight", "1"));
                DynamoDbAsyncClient persistent =
                        Sdk.connected(DynamoDbAsyncClient.builder(), narrow.node().uri())
                                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                                .overrideConfiguration(
                                        configuration ->
                                                configuration
                                                        .addExecutionInterceptor(
                                                                new Attempts(attempts))
                                                        .retryStrategy(
                                                                AwsRetryStrategy
                                                                        .standardRetryStrategy()
                                                                        .toBuilder()
                                                                        .maxAttempts(1_000)
                                                                        .circuitBreakerEnabled(
                                                                                false)
                                                                        .throttlingBackoffStrategy(
                                                                                often())
                                                                        .backoffStrategy(often())
                                                                        .build()))
                                .build()) {
            persistent.createTable(table("Narrow")).join();
            try (DynamoDbAsyncWaiter waiter =
                    DynamoDbAsyncWaiter.builder()
                            .client(persistent)
                            .overrideConfiguration(Sdk.often())
                            .build()) {
                waiter.waitUntilTableExists(asked -> asked.tableName("Narrow")).join();
            }
            attempts.set(0);

            // When
            CompletableFuture.allOf(
                            IntStream.range(0, 40)
                                    .mapToObj(
                                            n ->
                                                    persistent.updateItem(
                                                            update ->
                                                                    update.tableName("Narrow")
                                                                            .key(key("counter", 1))
                                                                            .updateExpression(
                                                                                    "ADD hits :one")
                                                                            .expressionAttributeValues(
                                                                                    Map.of(
                                                                                            ":one",
                                                                                            AttributeValue
                                                                                                    .fromN(
                                                                                                            "1")))))
                                    .toArray(CompletableFuture<?>[]::new))
                    .join();

            // Then: each was let in once, though not at once
            Map<String, AttributeValue> counter =
                    persistent
                            .getItem(
                                    get ->
                                            get.tableName("Narrow")
                                                    .key(key("counter", 1))
                                                    .consistentRead(true))
                            .join()
                            .item();
            assertThat(counter.get("hits").n()).isEqualTo("40");
            assertThat(attempts).hasValueGreaterThan(41);
        }
    }

    @Test
    void whatToolsAskOfATableIsAnswered() {
        // Given
        client.createTable(table("SdkTools"));
        try (DynamoDbWaiter waiter = Sdk.waiter(client)) {
            waiter.waitUntilTableExists(asked -> asked.tableName("SdkTools"));

            // When
            client.updateTable(
                    table ->
                            table.tableName("SdkTools")
                                    .billingMode(BillingMode.PROVISIONED)
                                    .provisionedThroughput(
                                            units ->
                                                    units.readCapacityUnits(7L)
                                                            .writeCapacityUnits(8L))
                                    .globalSecondaryIndexUpdates(
                                            update ->
                                                    update.update(
                                                            index ->
                                                                    index.indexName("gsi")
                                                                            .provisionedThroughput(
                                                                                    units ->
                                                                                            units.readCapacityUnits(
                                                                                                            3L)
                                                                                                    .writeCapacityUnits(
                                                                                                            4L)))));
            waiter.waitUntilTableExists(asked -> asked.tableName("SdkTools"));
            client.updateTable(
                    table -> table.tableName("SdkTools").deletionProtectionEnabled(true));
            waiter.waitUntilTableExists(asked -> asked.tableName("SdkTools"));
            client.updateTimeToLive(
                    request ->
                            request.tableName("SdkTools")
                                    .timeToLiveSpecification(
                                            expiry ->
                                                    expiry.attributeName("expires").enabled(true)));

            // Then
            TableDescription table =
                    client.describeTable(asked -> asked.tableName("SdkTools")).table();
            assertThat(table.provisionedThroughput().readCapacityUnits()).isEqualTo(7);
            assertThat(
                            table.globalSecondaryIndexes()
                                    .get(0)
                                    .provisionedThroughput()
                                    .writeCapacityUnits())
                    .isEqualTo(4);
            assertThat(
                            client.describeTimeToLive(asked -> asked.tableName(table.tableArn()))
                                    .timeToLiveDescription())
                    .satisfies(
                            expiry -> {
                                assertThat(expiry.timeToLiveStatus())
                                        .isIn(TimeToLiveStatus.ENABLING, TimeToLiveStatus.ENABLED);
                                assertThat(expiry.attributeName()).isEqualTo("expires");
                            });
            assertThat(
                            client.describeContinuousBackups(asked -> asked.tableName("SdkTools"))
                                    .continuousBackupsDescription()
                                    .pointInTimeRecoveryDescription()
                                    .pointInTimeRecoveryStatusAsString())
                    .isEqualTo(ContinuousBackupsStatus.DISABLED.toString());
            DescribeLimitsResponse limits = client.describeLimits();
            assertThat(limits.tableMaxReadCapacityUnits()).isPositive();
            assertThat(limits.accountMaxWriteCapacityUnits()).isPositive();
            assertThat(client.describeEndpoints(request -> {}).endpoints())
                    .singleElement()
                    .extracting(Endpoint::address)
                    .asString()
                    .isNotEmpty();

            // When: it is protected no more
            assertThatExceptionOfType(DynamoDbException.class)
                    .isThrownBy(() -> client.deleteTable(asked -> asked.tableName("SdkTools")))
                    .withMessageContaining("eletion protection");
            client.updateTable(
                    request -> request.tableName("SdkTools").deletionProtectionEnabled(false));
            waiter.waitUntilTableExists(asked -> asked.tableName("SdkTools"));
            client.deleteTable(asked -> asked.tableName("SdkTools"));
            waiter.waitUntilTableNotExists(asked -> asked.tableName("SdkTools"));
        }
    }

    @Test
    void capacityAndCollectionsAreTold() {
        var put =
                client.putItem(
                        request ->
                                request.tableName(NAME)
                                        .item(item("told", 1))
                                        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                                        .returnItemCollectionMetrics(
                                                ReturnItemCollectionMetrics.SIZE));
        assertThat(put.consumedCapacity().capacityUnits()).isEqualTo(3);
        assertThat(put.consumedCapacity().table().capacityUnits()).isEqualTo(1);
        assertThat(put.consumedCapacity().globalSecondaryIndexes().get("gsi").capacityUnits())
                .isEqualTo(1);
        assertThat(put.consumedCapacity().localSecondaryIndexes().get("lsi").capacityUnits())
                .isEqualTo(1);
        assertThat(put.itemCollectionMetrics().itemCollectionKey())
                .isEqualTo(Map.of("pk", AttributeValue.fromS("told")));
        assertThat(put.itemCollectionMetrics().sizeEstimateRangeGB()).hasSize(2);
        var got =
                client.batchGetItem(
                        request ->
                                request.requestItems(
                                                Map.of(
                                                        NAME,
                                                        KeysAndAttributes.builder()
                                                                .keys(key("told", 1))
                                                                .projectionExpression("g")
                                                                .build()))
                                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
        assertThat(got.responses().get(NAME))
                .containsExactly(Map.of("g", AttributeValue.fromS("g")));
        assertThat(got.consumedCapacity())
                .singleElement()
                .satisfies(units -> assertThat(units.capacityUnits()).isEqualTo(0.5));
        var batch =
                client.batchWriteItem(
                        request ->
                                request.requestItems(
                                                Map.of(
                                                        NAME,
                                                        List.of(
                                                                WriteRequest.builder()
                                                                        .deleteRequest(
                                                                                gone ->
                                                                                        gone.key(
                                                                                                key(
                                                                                                        "told",
                                                                                                        1)))
                                                                        .build())))
                                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
        assertThat(batch.unprocessedItems()).isEmpty();
        assertThat(batch.consumedCapacity())
                .singleElement()
                .satisfies(units -> assertThat(units.capacityUnits()).isEqualTo(3));
    }

    private static BackoffStrategy often() {
        return BackoffStrategy.fixedDelay(Duration.ofMillis(5));
    }

    private static CreateTableRequest table(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        define -> define.attributeName("pk").attributeType(ScalarAttributeType.S),
                        define -> define.attributeName("sk").attributeType(ScalarAttributeType.N),
                        define -> define.attributeName("g").attributeType(ScalarAttributeType.S))
                .keySchema(
                        key -> key.attributeName("pk").keyType(KeyType.HASH),
                        key -> key.attributeName("sk").keyType(KeyType.RANGE))
                .localSecondaryIndexes(
                        index ->
                                index.indexName("lsi")
                                        .keySchema(
                                                key ->
                                                        key.attributeName("pk")
                                                                .keyType(KeyType.HASH),
                                                key ->
                                                        key.attributeName("g")
                                                                .keyType(KeyType.RANGE))
                                        .projection(of -> of.projectionType("KEYS_ONLY")))
                .globalSecondaryIndexes(
                        index ->
                                index.indexName("gsi")
                                        .keySchema(
                                                key -> key.attributeName("g").keyType(KeyType.HASH))
                                        .projection(of -> of.projectionType("ALL")))
                .build();
    }

    private static Map<String, AttributeValue> key(String pk, int sk) {
        return Map.of(
                "pk", AttributeValue.fromS(pk), "sk", AttributeValue.fromN(Integer.toString(sk)));
    }

    private static Map<String, AttributeValue> item(String pk, int sk) {
        return Map.of(
                "pk", AttributeValue.fromS(pk),
                "sk", AttributeValue.fromN(Integer.toString(sk)),
                "g", AttributeValue.fromS("g"));
    }

    /** Notes how replies were encoded, and their checksums. */
    private static final class Seen implements ExecutionInterceptor {

        final ConcurrentLinkedQueue<String> encodings = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<String> checksums = new ConcurrentLinkedQueue<>();

        @Override
        public void afterTransmission(
                Context.AfterTransmission context, ExecutionAttributes attributes) {
            encodings.add(
                    context.httpResponse().firstMatchingHeader("Content-Encoding").orElse(""));
            checksums.add(context.httpResponse().firstMatchingHeader("x-amz-crc32").orElse(""));
        }
    }

    /** Counts how often requests were sent, each time anew. */
    private record Attempts(AtomicInteger count) implements ExecutionInterceptor {

        @Override
        public void beforeTransmission(
                Context.BeforeTransmission context, ExecutionAttributes attributes) {
            count.incrementAndGet();
        }
    }
}
