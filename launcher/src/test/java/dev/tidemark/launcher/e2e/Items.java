package dev.tidemark.launcher.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Makes items and requests in DynamoDB's JSON. */
final class Items {

    private Items() {}

    static ObjectNode request(String table) {
        return Wire.JSON.createObjectNode().put("TableName", table);
    }

    /** Returns an item of names and values in turn: texts are S, numbers N, JSON as it is. */
    static ObjectNode item(Object... namesAndValues) {
        ObjectNode item = Wire.JSON.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            item.set((String) namesAndValues[i], value(namesAndValues[i + 1]));
        }
        return item;
    }

    static JsonNode value(Object value) {
        if (value instanceof JsonNode json) {
            return json;
        }
        return value instanceof Number
                ? Wire.JSON.createObjectNode().put("N", value.toString())
                : Wire.JSON.createObjectNode().put("S", (String) value);
    }

    /** Returns a Query; the values of the condition are called :0, :1 and so on. */
    static ObjectNode query(String table, String index, String condition, Object... values) {
        ObjectNode query = request(table).put("KeyConditionExpression", condition);
        if (!index.isEmpty()) {
            query.put("IndexName", index);
        }
        ObjectNode named = query.putObject("ExpressionAttributeValues");
        for (int i = 0; i < values.length; i++) {
            named.set(":" + i, value(values[i]));
        }
        return query;
    }

    static ObjectNode scan(String table, String index) {
        ObjectNode scan = request(table);
        if (!index.isEmpty()) {
            scan.put("IndexName", index);
        }
        return scan;
    }

    /** Returns a BatchWriteItem that puts these items. */
    static ObjectNode batch(String table, ObjectNode... items) {
        ObjectNode body = Wire.JSON.createObjectNode();
        for (ObjectNode item : items) {
            body.withObject("/RequestItems")
                    .withArray(table)
                    .addObject()
                    .putObject("PutRequest")
                    .set("Item", item);
        }
        return body;
    }

    /** Returns one attribute's S or N of every item. */
    static List<String> texts(JsonNode items, String name) {
        List<String> found = new ArrayList<>();
        for (JsonNode item : items) {
            JsonNode value = item.path(name);
            found.add(value.has("N") ? value.path("N").asText() : value.path("S").asText());
        }
        return found;
    }

    /** Returns the names of an item's attributes. */
    static List<String> names(JsonNode item) {
        List<String> names = new ArrayList<>();
        item.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
