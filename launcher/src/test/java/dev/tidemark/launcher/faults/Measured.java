package dev.tidemark.launcher.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** The table that the fault tests load: one local and three global indexes, one of them sparse. */
public final class Measured {

    public static final String TABLE = "Measured";

    private static final String DEFINITION =
            """
            {"TableName": "Measured", "BillingMode": "PAY_PER_REQUEST",
             "AttributeDefinitions": [
               {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
               {"AttributeName": "quality", "AttributeType": "N"}, {"AttributeName": "group", "AttributeType": "S"},
               {"AttributeName": "severity", "AttributeType": "S"}, {"AttributeName": "count", "AttributeType": "N"}],
             "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
             "LocalSecondaryIndexes": [
               {"IndexName": "byQuality", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "quality", "KeyType": "RANGE"}]}],
             "GlobalSecondaryIndexes": [
               {"IndexName": "byGroup", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]},
               {"IndexName": "bySeverity", "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [{"AttributeName": "severity", "KeyType": "HASH"}]},
               {"IndexName": "byCount", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["quality"]},
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "count", "KeyType": "RANGE"}]}]}
            """;

    private Measured() {}

    /** Returns the request that creates it. */
    public static ObjectNode create() {
        return json(DEFINITION);
    }

    /** Creates it and waits until it takes requests. */
    public static void createAndAwait(Endpoint server) {
        server.call("CreateTable", create());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () ->
                                server.call("DescribeTable", request(body -> body))
                                        .at("/Table/TableStatus")
                                        .asText()
                                        .equals("ACTIVE"));
    }

    /** Returns the item whose attributes all follow from its key. */
    public static ObjectNode item(String partition, int sort) {
        ObjectNode item = key(partition, sort);
        item.putObject("quality").put("N", Integer.toString(sort % 7));
        item.putObject("group").put("S", "group-" + sort % 11);
        item.putObject("note").put("S", "n".repeat(40) + sort);
        if (sort % 5 == 0) {
            item.putObject("severity").put("S", "severity-" + sort % 3);
        }
        return item;
    }

    public static ObjectNode key(String partition, int sort) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        key.putObject("pk").put("S", partition);
        key.putObject("sk").put("N", Integer.toString(sort));
        return key;
    }

    public static ObjectNode put(ObjectNode item) {
        return request(body -> body.set("Item", item));
    }

    public static ObjectNode delete(ObjectNode key) {
        return request(body -> body.set("Key", key));
    }

    /** Returns the request that reads the latest. */
    public static ObjectNode get(ObjectNode key) {
        return request(body -> body.put("ConsistentRead", true).set("Key", key));
    }

    /** Returns the request that adds one to a counter and moves it within the indexes. */
    public static ObjectNode increment(String counter, int step) {
        ObjectNode names = json("{\"#n\": \"count\", \"#q\": \"quality\", \"#g\": \"group\"}");
        ObjectNode values = json("{\":one\": {\"N\": \"1\"}}");
        values.putObject(":q").put("N", Integer.toString(step % 5));
        values.putObject(":g").put("S", "counters-" + step % 3);
        return request(
                body -> {
                    body.put("UpdateExpression", "ADD #n :one SET #q = :q, #g = :g")
                            .put("ReturnValues", "ALL_NEW");
                    body.set("ExpressionAttributeNames", names);
                    body.set("ExpressionAttributeValues", values);
                    return body.set("Key", key(counter, 0));
                });
    }

    /** Returns the request for all items of a partition key, of the table or an index of it. */
    public static ObjectNode query(String partition) {
        return request(
                body -> {
                    body.put("KeyConditionExpression", "pk = :p").put("ConsistentRead", true);
                    return body.set(
                            "ExpressionAttributeValues",
                            json("{\":p\": {\"S\": \"" + partition + "\"}}"));
                });
    }

    /** Returns the request for the entries of a group in the global index. */
    public static ObjectNode queryGroup(String group) {
        return request(
                body -> {
                    body.put("IndexName", "byGroup").put("KeyConditionExpression", "#g = :g");
                    body.set("ExpressionAttributeNames", json("{\"#g\": \"group\"}"));
                    return body.set(
                            "ExpressionAttributeValues",
                            json("{\":g\": {\"S\": \"" + group + "\"}}"));
                });
    }

    public static ObjectNode request(UnaryOperator<ObjectNode> rest) {
        return rest.apply(Endpoint.JSON.createObjectNode().put("TableName", TABLE));
    }

    public static ObjectNode json(String text) {
        try {
            JsonNode read = Endpoint.JSON.readTree(text);
            return (ObjectNode) read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Invalid JSON: " + e.getOriginalMessage(), e);
        }
    }
}
