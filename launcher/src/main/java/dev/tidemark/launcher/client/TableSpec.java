package dev.tidemark.launcher.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table to create: its key and its indexes, all of which carry whole items.
 *
 * @param name the table's name
 * @param key the names of the partition key attribute and, if there is one, the sort key attribute
 * @param localIndexes sort key attributes by index name
 * @param globalIndexes partition and sort key attributes by index name
 * @param types the type of every key attribute: S, N or B
 */
public record TableSpec(
        String name,
        List<String> key,
        Map<String, String> localIndexes,
        Map<String, List<String>> globalIndexes,
        Map<String, String> types) {

    public TableSpec {
        key = List.copyOf(key);
        localIndexes = new LinkedHashMap<>(localIndexes);
        globalIndexes = new LinkedHashMap<>(globalIndexes);
        types = new LinkedHashMap<>(types);
        if (key.isEmpty() || key.size() > 2) {
            throw new IllegalArgumentException("Invalid key: one or two attributes, not " + key);
        }
    }

    /** Returns the body of the CreateTable request. */
    public ObjectNode createRequest() {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        body.put("TableName", name);
        body.put("BillingMode", "PAY_PER_REQUEST");
        List<String> used = new ArrayList<>(key);
        body.set("KeySchema", keySchema(key));
        if (!localIndexes.isEmpty()) {
            ArrayNode list = body.putArray("LocalSecondaryIndexes");
            localIndexes.forEach(
                    (index, sort) -> {
                        addIndex(list, index, List.of(key.get(0), sort));
                        used.add(sort);
                    });
        }
        if (!globalIndexes.isEmpty()) {
            ArrayNode list = body.putArray("GlobalSecondaryIndexes");
            globalIndexes.forEach(
                    (index, names) -> {
                        addIndex(list, index, names);
                        used.addAll(names);
                    });
        }
        body.set("AttributeDefinitions", definitions(used));
        return body;
    }

    /** Returns the body of the UpdateTable request that adds a global index. */
    public ObjectNode addIndexRequest(String index, List<String> names) {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        body.put("TableName", name);
        body.set("AttributeDefinitions", definitions(names));
        ObjectNode create =
                body.putArray("GlobalSecondaryIndexUpdates").addObject().putObject("Create");
        create.put("IndexName", index);
        create.set("KeySchema", keySchema(names));
        create.putObject("Projection").put("ProjectionType", "ALL");
        return body;
    }

    private ArrayNode definitions(List<String> names) {
        ArrayNode definitions = Endpoint.JSON.createArrayNode();
        names.stream()
                .distinct()
                .forEach(
                        attribute ->
                                definitions
                                        .addObject()
                                        .put("AttributeName", attribute)
                                        .put("AttributeType", types.getOrDefault(attribute, "S")));
        return definitions;
    }

    private static void addIndex(ArrayNode list, String index, List<String> names) {
        ObjectNode node = list.addObject();
        node.put("IndexName", index);
        node.set("KeySchema", keySchema(names));
        node.putObject("Projection").put("ProjectionType", "ALL");
    }

    private static ArrayNode keySchema(List<String> names) {
        ArrayNode schema = Endpoint.JSON.createArrayNode();
        for (int at = 0; at < names.size(); at++) {
            schema.addObject()
                    .put("AttributeName", names.get(at))
                    .put("KeyType", at == 0 ? "HASH" : "RANGE");
        }
        return schema;
    }
}
