package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.Tag;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Amazon's own client, as it is, does everything this product offers. */
@SuppressWarnings("unchecked") // the client takes lists of generic types as varargs
class AwsSdkIT {

    private static final String READINGS = "SdkReadings";
    private static final int SENSORS = 4;
    private static final int TIMES = 25;

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static DynamoDbClient client;

    private static DynamoDbWaiter waiter;

    @BeforeAll
    static void connect() {
        client = Sdk.client(NODE.uri()).build();
        waiter = Sdk.waiter(client);
        client.createTable(readings(READINGS).build());
        waiter.waitUntilTableExists(table -> table.tableName(READINGS));
        List<WriteRequest> puts = new ArrayList<>();
        for (int sensor = 0; sensor < SENSORS; sensor++) {
            for (int time = 0; time < TIMES; time++) {
                puts.add(put(reading(sensor, time)));
            }
        }
        for (int from = 0; from < puts.size(); from += 25) {
            List<WriteRequest> some = puts.subList(from, from + 25);
            assertThat(
                            client.batchWriteItem(
                                            batch -> batch.requestItems(Map.of(READINGS, some)))
                                    .unprocessedItems())
                    .isEmpty();
        }
    }

    @AfterAll
    static void disconnect() {
        if (client != null) {
            client.deleteTable(table -> table.tableName(READINGS));
            client.close();
        }
    }

    @Test
    void aTableIsCreatedDescribedListedTaggedAndDeleted() {
        // When
        TableDescription created =
                client.createTable(
                                readings("SdkLife")
                                        .tags(tag("owner", "plant 7"), tag("stage", "test"))
                                        .build())
                        .tableDescription();

        // Then
        assertThat(created.tableStatus()).isEqualTo(TableStatus.CREATING);
        TableDescription table =
                waiter.waitUntilTableExists(asked -> asked.tableName("SdkLife"))
                        .matched()
                        .response()
                        .orElseThrow()
                        .table();
        assertThat(table.tableStatus()).isEqualTo(TableStatus.ACTIVE);
        assertThat(table.tableArn()).endsWith(":table/SdkLife");
        assertThat(table.tableId()).isNotEmpty();
        assertThat(table.creationDateTime()).isNotNull();
        assertThat(table.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(table.keySchema())
                .containsExactly(key("sensor", KeyType.HASH), key("time", KeyType.RANGE));
        assertThat(table.attributeDefinitions())
                .extracting(AttributeDefinition::attributeName)
                .containsExactlyInAnyOrder("sensor", "time", "quality", "building", "severity");
        assertThat(table.localSecondaryIndexes())
                .singleElement()
                .satisfies(
                        index -> {
                            assertThat(index.indexName()).isEqualTo("byQuality");
                            assertThat(index.indexArn())
                                    .isEqualTo(table.tableArn() + "/index/byQuality");
                            assertThat(index.projection().projectionType())
                                    .isEqualTo(ProjectionType.KEYS_ONLY);
                        });
        assertThat(table.globalSecondaryIndexes())
                .extracting(GlobalSecondaryIndexDescription::indexName)
                .containsExactlyInAnyOrder("byBuilding", "bySeverity");
        assertThat(table.globalSecondaryIndexes())
                .allSatisfy(
                        index -> {
                            assertThat(index.indexStatus()).isEqualTo(IndexStatus.ACTIVE);
                            assertThat(index.backfilling()).isNull();
                        });
        assertThat(client.listTablesPaginator(list -> list.limit(1)).tableNames().stream())
                .contains("SdkLife", READINGS);
        assertThatExceptionOfType(ResourceInUseException.class)
                .isThrownBy(() -> client.createTable(readings("SdkLife").build()))
                .withMessageContaining("SdkLife");

        // When: tags
        String arn = table.tableArn();
        client.tagResource(
                request -> request.resourceArn(arn).tags(tag("stage", "live"), tag("new", "")));
        client.untagResource(request -> request.resourceArn(arn).tagKeys("owner"));

        // Then
        assertThat(client.listTagsOfResource(request -> request.resourceArn(arn)).tags())
                .containsExactlyInAnyOrder(tag("stage", "live"), tag("new", ""));

        // When: it goes
        TableDescription deleted =
                client.deleteTable(request -> request.tableName("SdkLife")).tableDescription();

        // Then
        assertThat(deleted.tableStatus()).isEqualTo(TableStatus.DELETING);
        waiter.waitUntilTableNotExists(asked -> asked.tableName("SdkLife"));
        assertThat(client.listTables().tableNames()).doesNotContain("SdkLife");
        assertThatExceptionOfType(ResourceNotFoundException.class)
                .isThrownBy(() -> client.deleteTable(request -> request.tableName("SdkLife")));
    }

    @Test
    void aTableOfProvisionedThroughputTellsItsThroughput() {
        client.createTable(
                table ->
                        table.tableName("SdkProvisioned")
                                .billingMode(BillingMode.PROVISIONED)
                                .provisionedThroughput(
                                        units -> units.readCapacityUnits(5L).writeCapacityUnits(6L))
                                .attributeDefinitions(define("pk", ScalarAttributeType.B))
                                .keySchema(key("pk", KeyType.HASH)));
        TableDescription described =
                waiter.waitUntilTableExists(asked -> asked.tableName("SdkProvisioned"))
                        .matched()
                        .response()
                        .orElseThrow()
                        .table();

        assertThat(described.provisionedThroughput().readCapacityUnits()).isEqualTo(5);
        assertThat(described.provisionedThroughput().writeCapacityUnits()).isEqualTo(6);
        assertThat(described.hasGlobalSecondaryIndexes()).isFalse();
        client.deleteTable(table -> table.tableName("SdkProvisioned"));
    }

    @Test
    void aPutMeetsItsConditionAndReturnsTheOldItem() {
        // Given
        Map<String, AttributeValue> first = with(reading(100, 1), "note", s("first"));
        Map<String, AttributeValue> second = with(reading(100, 1), "note", s("second"));

        // When
        assertThat(
                        client.putItem(
                                        put ->
                                                put.tableName(READINGS)
                                                        .item(first)
                                                        .conditionExpression(
                                                                "attribute_not_exists(sensor)")
                                                        .returnValues(ReturnValue.ALL_OLD))
                                .hasAttributes())
                .isFalse();

        // Then
        assertThatExceptionOfType(ConditionalCheckFailedException.class)
                .isThrownBy(
                        () ->
                                client.putItem(
                                        put ->
                                                put.tableName(READINGS)
                                                        .item(second)
                                                        .conditionExpression(
                                                                "attribute_not_exists(sensor)")
                                                        .returnValuesOnConditionCheckFailure(
                                                                ReturnValuesOnConditionCheckFailure
                                                                        .ALL_OLD)))
                .withMessageContaining("The conditional request failed")
                .satisfies(failure -> assertThat(failure.item()).isEqualTo(first));
        assertThat(
                        client.putItem(
                                        put ->
                                                put.tableName(READINGS)
                                                        .item(second)
                                                        .returnValues(ReturnValue.ALL_OLD)
                                                        .returnConsumedCapacity(
                                                                ReturnConsumedCapacity.INDEXES))
                                .attributes())
                .isEqualTo(first);
        assertThat(read(key(100, 1), true)).isEqualTo(second);
    }

    @Test
    void everyTypeComesBackAsItWasPut() {
        Map<String, AttributeValue> item = new HashMap<>(key(101, 1));
        item.put("string", s("ünï ☃ \"quoted\""));
        item.put("number", n("-12345678901234567890.12345678901234567"));
        item.put("binary", AttributeValue.fromB(bytes(0, 255, 7)));
        item.put("yes", AttributeValue.fromBool(true));
        item.put("nothing", AttributeValue.fromNul(true));
        item.put(
                "list",
                AttributeValue.fromL(List.of(s("a"), n("1"), AttributeValue.fromL(List.of()))));
        item.put(
                "map",
                AttributeValue.fromM(Map.of("inner", AttributeValue.fromM(Map.of("x", s(""))))));
        item.put("strings", AttributeValue.fromSs(List.of("only")));
        item.put("numbers", AttributeValue.fromNs(List.of("7")));
        item.put("binaries", AttributeValue.fromBs(List.of(bytes(1))));

        client.putItem(put -> put.tableName(READINGS).item(item));

        assertThat(read(key(101, 1), true)).isEqualTo(item);
    }

    @Test
    void getReadsStronglyOrEventuallyAndOnlyWhatIsAskedFor() {
        assertThat(read(key(0, 1), true)).isEqualTo(reading(0, 1));
        assertThat(read(key(0, 1), false)).isEqualTo(reading(0, 1));
        assertThat(
                        client.getItem(
                                        get ->
                                                get.tableName(READINGS)
                                                        .key(key(0, 1))
                                                        .projectionExpression("#v, building")
                                                        .expressionAttributeNames(
                                                                Map.of("#v", "value")))
                                .item()
                                .keySet())
                .containsExactlyInAnyOrder("value", "building");
        assertThat(client.getItem(get -> get.tableName(READINGS).key(key(0, 999))).hasItem())
                .isFalse();
    }

    @Test
    void anUpdateSetsRemovesAddsAndDeletes() {
        // Given
        Map<String, AttributeValue> item = with(reading(102, 1), "note", s("old"));
        item.put("marks", AttributeValue.fromSs(List.of("a", "b")));
        client.putItem(put -> put.tableName(READINGS).item(item));
        Consumer<UpdateItemRequest.Builder> update =
                request ->
                        request.tableName(READINGS)
                                .key(key(102, 1))
                                .updateExpression(
                                        "SET quality = quality + :one, fresh = if_not_exists(fresh, :f)"
                                                + " REMOVE note ADD hits :one DELETE marks :a")
                                .expressionAttributeValues(
                                        Map.of(
                                                ":one", n("1"),
                                                ":f", s("f"),
                                                ":a", AttributeValue.fromSs(List.of("a"))));

        // When
        UpdateItemResponse updated =
                client.updateItem(update.andThen(r -> r.returnValues(ReturnValue.ALL_NEW)));

        // Then
        Map<String, AttributeValue> expected = new HashMap<>(reading(102, 1));
        expected.put("quality", n("2"));
        expected.put("fresh", s("f"));
        expected.put("hits", n("1"));
        expected.put("marks", AttributeValue.fromSs(List.of("b")));
        assertThat(updated.attributes()).isEqualTo(expected);
        assertThat(read(key(102, 1), true)).isEqualTo(expected);
    }

    @Test
    void anUpdateReturnsWhatIsAskedFor() {
        Consumer<UpdateItemRequest.Builder> update =
                request ->
                        request.tableName(READINGS)
                                .key(key(103, 1))
                                .updateExpression("SET a = :a, b = :b")
                                .expressionAttributeValues(Map.of(":a", n("1"), ":b", n("2")));
        Map<String, AttributeValue> whole = new HashMap<>(key(103, 1));
        whole.put("a", n("1"));
        whole.put("b", n("2"));
        assertThat(update(update, ReturnValue.ALL_OLD)).isEmpty();
        assertThat(update(update, ReturnValue.ALL_OLD)).isEqualTo(whole);
        assertThat(update(update, ReturnValue.NONE)).isEmpty();
        assertThat(update(update, ReturnValue.ALL_NEW)).isEqualTo(whole);
        Consumer<UpdateItemRequest.Builder> other =
                update.andThen(
                        r -> r.expressionAttributeValues(Map.of(":a", n("3"), ":b", n("2"))));
        assertThat(update(other, ReturnValue.UPDATED_OLD))
                .isEqualTo(Map.of("a", n("1"), "b", n("2")));
        assertThat(update(other, ReturnValue.UPDATED_NEW))
                .isEqualTo(Map.of("a", n("3"), "b", n("2")));
        assertThatExceptionOfType(ConditionalCheckFailedException.class)
                .isThrownBy(
                        () ->
                                client.updateItem(
                                        update.andThen(
                                                r ->
                                                        r.conditionExpression(
                                                                "attribute_exists(zz)"))));
    }

    @Test
    void aDeleteReturnsTheItemAndMeetsItsCondition() {
        Map<String, AttributeValue> item = reading(104, 1);
        client.putItem(put -> put.tableName(READINGS).item(item));
        assertThatExceptionOfType(ConditionalCheckFailedException.class)
                .isThrownBy(
                        () ->
                                client.deleteItem(
                                        delete ->
                                                delete.tableName(READINGS)
                                                        .key(key(104, 1))
                                                        .conditionExpression("quality = :q")
                                                        .expressionAttributeValues(
                                                                Map.of(":q", n("77")))));
        assertThat(
                        client.deleteItem(
                                        delete ->
                                                delete.tableName(READINGS)
                                                        .key(key(104, 1))
                                                        .returnValues(ReturnValue.ALL_OLD))
                                .attributes())
                .isEqualTo(item);
        assertThat(client.deleteItem(d -> d.tableName(READINGS).key(key(104, 1))).attributes())
                .isEmpty();
        assertThat(read(key(104, 1), true)).isEmpty();
    }

    @Test
    void batchesWriteAndReadManyItems() {
        // When
        BatchWriteItemResponse written =
                client.batchWriteItem(
                        batch ->
                                batch.requestItems(
                                        Map.of(
                                                READINGS,
                                                List.of(
                                                        put(reading(105, 1)),
                                                        put(reading(105, 2)),
                                                        WriteRequest.builder()
                                                                .deleteRequest(
                                                                        delete ->
                                                                                delete.key(
                                                                                        key(
                                                                                                105,
                                                                                                3)))
                                                                .build()))));
        BatchGetItemResponse found =
                client.batchGetItem(
                        batch ->
                                batch.requestItems(
                                        Map.of(
                                                READINGS,
                                                KeysAndAttributes.builder()
                                                        .consistentRead(true)
                                                        .keys(key(105, 1), key(105, 2), key(105, 3))
                                                        .build())));

        // Then
        assertThat(written.hasUnprocessedItems()).isTrue();
        assertThat(written.unprocessedItems()).isEmpty();
        assertThat(found.responses().get(READINGS))
                .containsExactlyInAnyOrder(reading(105, 1), reading(105, 2));
        assertThat(found.unprocessedKeys()).isEmpty();
    }

    @Test
    void aQueryReadsTheTableInBothDirectionsPageByPage() {
        QueryRequest query =
                QueryRequest.builder()
                        .tableName(READINGS)
                        .keyConditionExpression("sensor = :s AND #t BETWEEN :a AND :b")
                        .expressionAttributeNames(Map.of("#t", "time"))
                        .expressionAttributeValues(
                                Map.of(":s", s("sensor-1"), ":a", n("5"), ":b", n("17")))
                        .consistentRead(true)
                        .build();

        assertThat(times(client.query(query))).containsExactlyElementsOf(range(5, 18));
        assertThat(times(client.query(query.toBuilder().scanIndexForward(false).build())))
                .containsExactlyElementsOf(reversed(range(5, 18)));
        QueryResponse first = client.query(query.toBuilder().limit(4).build());
        assertThat(first.count()).isEqualTo(4);
        assertThat(first.lastEvaluatedKey()).isEqualTo(key(1, 8));
        List<String> paged = new ArrayList<>();
        client.queryPaginator(query.toBuilder().limit(4).scanIndexForward(false).build())
                .items()
                .forEach(item -> paged.add(item.get("time").n()));
        assertThat(paged).containsExactlyElementsOf(reversed(range(5, 18)));
    }

    @Test
    void aQueryReadsIndexesInBothDirectionsPageByPage() {
        // the local index, by quality
        QueryRequest local =
                QueryRequest.builder()
                        .tableName(READINGS)
                        .indexName("byQuality")
                        .keyConditionExpression("sensor = :s AND quality > :q")
                        .expressionAttributeValues(Map.of(":s", s("sensor-2"), ":q", n("2")))
                        .consistentRead(true)
                        .limit(3)
                        .build();
        List<Map<String, AttributeValue>> found =
                client.queryPaginator(local).items().stream().toList();
        assertThat(found).hasSize(10);
        assertThat(found).extracting(item -> Integer.valueOf(item.get("quality").n())).isSorted();
        assertThat(found.get(0).keySet()).containsExactlyInAnyOrder("sensor", "time", "quality");
        List<Map<String, AttributeValue>> back =
                client
                        .queryPaginator(local.toBuilder().scanIndexForward(false).build())
                        .items()
                        .stream()
                        .toList();
        assertThat(reversed(back)).isEqualTo(found);

        // a global one, whose entries of all sensors share a key
        QueryRequest global =
                QueryRequest.builder()
                        .tableName(READINGS)
                        .indexName("byBuilding")
                        .keyConditionExpression("building = :b")
                        .expressionAttributeValues(Map.of(":b", s("b-1")))
                        .limit(7)
                        .build();
        List<Map<String, AttributeValue>> entries =
                client.queryPaginator(global).items().stream().toList();
        assertThat(entries).hasSize(2 * TIMES);
        assertThat(new LinkedHashSet<>(entries)).hasSize(2 * TIMES);
        assertThat(entries).extracting(item -> Integer.valueOf(item.get("time").n())).isSorted();
        assertThat(
                        reversed(
                                client
                                        .queryPaginator(
                                                global.toBuilder().scanIndexForward(false).build())
                                        .items()
                                        .stream()
                                        .toList()))
                .isEqualTo(entries);

        // a sparse one
        assertThat(client.scan(scan -> scan.tableName(READINGS).indexName("bySeverity")).items())
                .hasSize(SENSORS * TIMES / 5)
                .allSatisfy(
                        item ->
                                assertThat(item.keySet())
                                        .containsExactlyInAnyOrder(
                                                "sensor", "time", "severity", "value"));
    }

    @Test
    void segmentsOfAScanReadEachItemOnce() {
        client.createTable(readings("SdkSegments").build());
        waiter.waitUntilTableExists(table -> table.tableName("SdkSegments"));
        for (int sensor = 0; sensor < 20; sensor++) {
            int of = sensor;
            client.putItem(put -> put.tableName("SdkSegments").item(reading(of, of)));
        }
        Set<String> sensors = new LinkedHashSet<>();
        int found = 0;
        for (int segment = 0; segment < 3; segment++) {
            ScanRequest scan =
                    ScanRequest.builder()
                            .tableName("SdkSegments")
                            .segment(segment)
                            .totalSegments(3)
                            .consistentRead(true)
                            .limit(2)
                            .build();
            for (Map<String, AttributeValue> item : client.scanPaginator(scan).items()) {
                found++;
                sensors.add(item.get("sensor").s());
            }
        }
        ScanResponse counted =
                client.scan(
                        scan ->
                                scan.tableName("SdkSegments")
                                        .select("COUNT")
                                        .filterExpression("quality < :q")
                                        .expressionAttributeValues(Map.of(":q", n("3"))));

        assertThat(found).isEqualTo(20);
        assertThat(sensors).hasSize(20);
        assertThat(counted.scannedCount()).isEqualTo(20);
        assertThat(counted.count()).isEqualTo(12);
        client.deleteTable(table -> table.tableName("SdkSegments"));
    }

    @Test
    void anIndexIsAddedAndRemovedWhileTheTableWorks() {
        // Given
        client.createTable(readings("SdkGrowing").build());
        waiter.waitUntilTableExists(table -> table.tableName("SdkGrowing"));
        for (int time = 0; time < 10; time++) {
            int of = time;
            client.putItem(put -> put.tableName("SdkGrowing").item(reading(1, of)));
        }

        // When
        TableDescription updating =
                client.updateTable(
                                table ->
                                        table.tableName("SdkGrowing")
                                                .attributeDefinitions(
                                                        define("value", ScalarAttributeType.N))
                                                .globalSecondaryIndexUpdates(
                                                        update ->
                                                                update.create(
                                                                        create ->
                                                                                create.indexName(
                                                                                                "byValue")
                                                                                        .keySchema(
                                                                                                key(
                                                                                                        "value",
                                                                                                        KeyType
                                                                                                                .HASH))
                                                                                        .projection(
                                                                                                all ->
                                                                                                        all
                                                                                                                .projectionType(
                                                                                                                        ProjectionType
                                                                                                                                .ALL)))))
                        .tableDescription();

        // Then
        assertThat(updating.tableStatus()).isEqualTo(TableStatus.UPDATING);
        assertThat(index(updating, "byValue").indexStatus()).isEqualTo(IndexStatus.CREATING);
        assertThat(index(updating, "byValue").backfilling()).isTrue();
        awaitIndexes("SdkGrowing", 3);
        TableDescription grown =
                client.describeTable(table -> table.tableName("SdkGrowing")).table();
        assertThat(grown.tableStatus()).isEqualTo(TableStatus.ACTIVE);
        assertThat(index(grown, "byValue").backfilling()).isNull();
        assertThat(client.scan(s -> s.tableName("SdkGrowing").indexName("byValue")).count())
                .isEqualTo(10);

        // When: it goes
        TableDescription shrinking =
                client.updateTable(
                                table ->
                                        table.tableName("SdkGrowing")
                                                .globalSecondaryIndexUpdates(
                                                        update ->
                                                                update.delete(
                                                                        gone ->
                                                                                gone.indexName(
                                                                                        "byValue"))))
                        .tableDescription();

        // Then
        assertThat(index(shrinking, "byValue").indexStatus()).isEqualTo(IndexStatus.DELETING);
        awaitIndexes("SdkGrowing", 2);
        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(() -> client.scan(s -> s.tableName("SdkGrowing").indexName("byValue")))
                .withMessageContaining("The table does not have the specified index: byValue");
        assertThat(
                        client.describeTable(table -> table.tableName("SdkGrowing"))
                                .table()
                                .attributeDefinitions())
                .extracting(AttributeDefinition::attributeName)
                .doesNotContain("value");
        client.deleteTable(table -> table.tableName("SdkGrowing"));
    }

    @Test
    void whatIsNotOfferedIsAnUnknownOperation() {
        assertUnknown(() -> client.executeStatement(r -> r.statement("SELECT * FROM SdkReadings")));
        assertUnknown(
                () ->
                        client.describeBackup(
                                r ->
                                        r.backupArn(
                                                "arn:aws:dynamodb:any:1:table/x/backup/0123456789")));
        assertUnknown(() -> client.listGlobalTables());
        assertUnknown(
                () ->
                        client.transactWriteItems(
                                request ->
                                        request.transactItems(
                                                item ->
                                                        item.put(
                                                                put ->
                                                                        put.tableName(READINGS)
                                                                                .item(
                                                                                        reading(
                                                                                                1,
                                                                                                1))))));
    }

    private static void assertUnknown(Runnable call) {
        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(call::run)
                .satisfies(
                        failure -> {
                            assertThat(failure.awsErrorDetails().errorCode())
                                    .isEqualTo("UnknownOperationException");
                            assertThat(failure.statusCode()).isEqualTo(400);
                            assertThat(failure.requestId()).matches("[0-9A-Z]{52}");
                        });
    }

    private static void awaitIndexes(String name, int count) {
        await().atMost(Wire.SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(
                        () -> {
                            TableDescription table =
                                    client.describeTable(asked -> asked.tableName(name)).table();
                            assertThat(table.tableStatus()).isEqualTo(TableStatus.ACTIVE);
                            assertThat(table.globalSecondaryIndexes())
                                    .hasSize(count)
                                    .allSatisfy(
                                            index ->
                                                    assertThat(index.indexStatus())
                                                            .isEqualTo(IndexStatus.ACTIVE));
                        });
    }

    private static GlobalSecondaryIndexDescription index(TableDescription table, String name) {
        return table.globalSecondaryIndexes().stream()
                .filter(index -> index.indexName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static CreateTableRequest.Builder readings(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        define("sensor", ScalarAttributeType.S),
                        define("time", ScalarAttributeType.N),
                        define("quality", ScalarAttributeType.N),
                        define("building", ScalarAttributeType.S),
                        define("severity", ScalarAttributeType.S))
                .keySchema(key("sensor", KeyType.HASH), key("time", KeyType.RANGE))
                .localSecondaryIndexes(
                        index ->
                                index.indexName("byQuality")
                                        .keySchema(
                                                key("sensor", KeyType.HASH),
                                                key("quality", KeyType.RANGE))
                                        .projection(
                                                of -> of.projectionType(ProjectionType.KEYS_ONLY)))
                .globalSecondaryIndexes(
                        index ->
                                index.indexName("byBuilding")
                                        .keySchema(
                                                key("building", KeyType.HASH),
                                                key("time", KeyType.RANGE))
                                        .projection(of -> of.projectionType(ProjectionType.ALL)),
                        index ->
                                index.indexName("bySeverity")
                                        .keySchema(key("severity", KeyType.HASH))
                                        .projection(
                                                of ->
                                                        of.projectionType(ProjectionType.INCLUDE)
                                                                .nonKeyAttributes("value")));
    }

    private static Map<String, AttributeValue> reading(int sensor, int time) {
        Map<String, AttributeValue> item = new HashMap<>(key(sensor, time));
        item.put("quality", n(Integer.toString(time % 5)));
        item.put("value", n(time + ".5"));
        item.put("building", s("b-" + (sensor < SENSORS ? sensor % 2 : "other")));
        if (sensor < SENSORS && time % 5 == 0) {
            item.put("severity", s("high"));
        }
        return item;
    }

    private static Map<String, AttributeValue> key(int sensor, int time) {
        return Map.of("sensor", s("sensor-" + sensor), "time", n(Integer.toString(time)));
    }

    private static Map<String, AttributeValue> with(
            Map<String, AttributeValue> item, String name, AttributeValue value) {
        Map<String, AttributeValue> changed = new HashMap<>(item);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, AttributeValue> read(
            Map<String, AttributeValue> key, boolean consistent) {
        return client.getItem(get -> get.tableName(READINGS).key(key).consistentRead(consistent))
                .item();
    }

    private static Map<String, AttributeValue> update(
            Consumer<UpdateItemRequest.Builder> update, ReturnValue values) {
        return client.updateItem(update.andThen(request -> request.returnValues(values)))
                .attributes();
    }

    private static List<String> times(QueryResponse found) {
        return found.items().stream().map(item -> item.get("time").n()).toList();
    }

    private static List<String> range(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        return copy;
    }

    private static WriteRequest put(Map<String, AttributeValue> item) {
        return WriteRequest.builder().putRequest(PutRequest.builder().item(item).build()).build();
    }

    private static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue n(String number) {
        return AttributeValue.fromN(number);
    }

    private static SdkBytes bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return SdkBytes.fromByteArray(bytes);
    }

    private static Tag tag(String key, String value) {
        return Tag.builder().key(key).value(value).build();
    }

    private static AttributeDefinition define(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }
}
