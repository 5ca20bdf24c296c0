package dev.tidemark.launcher.e2e;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A CreateTable request. Keys are written {@code pk:S,sk:N}; projections {@code ALL}, {@code
 * KEYS_ONLY} or the names included, {@code x,y}.
 */
final class TableRequest {

    private final String name;
    private final ObjectNode json = Wire.JSON.createObjectNode();
    private final Map<String, String> types = new LinkedHashMap<>();

    private TableRequest(String name) {
        this.name = name;
        json.put("TableName", name).put("BillingMode", "PAY_PER_REQUEST");
    }

    static TableRequest of(String name, String key) {
        TableRequest table = new TableRequest(name);
        table.json.set("KeySchema", table.key(key));
        return table;
    }

    TableRequest global(String index, String key, String projection) {
        json.withArray("GlobalSecondaryIndexes").add(index(index, key, projection));
        return this;
    }

    TableRequest local(String index, String key, String projection) {
        json.withArray("LocalSecondaryIndexes").add(index(index, key, projection));
        return this;
    }

    TableRequest tag(String key, String value) {
        json.withArray("Tags").addObject().put("Key", key).put("Value", value);
        return this;
    }

    /** Returns the UpdateTable request that adds an index. */
    static ObjectNode adding(String table, String index, String key, String projection) {
        TableRequest made = new TableRequest(table);
        ObjectNode update = Items.request(table);
        update.putArray("GlobalSecondaryIndexUpdates")
                .addObject()
                .set("Create", made.index(index, key, projection));
        update.set("AttributeDefinitions", made.definitions());
        return update;
    }

    String name() {
        return name;
    }

    ObjectNode json() {
        ObjectNode whole = json.deepCopy();
        whole.set("AttributeDefinitions", definitions());
        return whole;
    }

    private ArrayNode definitions() {
        ArrayNode definitions = Wire.JSON.createArrayNode();
        types.forEach(
                (attribute, type) ->
                        definitions
                                .addObject()
                                .put("AttributeName", attribute)
                                .put("AttributeType", type));
        return definitions;
    }

    private ObjectNode index(String index, String key, String projection) {
        ObjectNode made = Wire.JSON.createObjectNode().put("IndexName", index);
        made.set("KeySchema", key(key));
        ObjectNode projected = made.putObject("Projection");
        if (List.of("ALL", "KEYS_ONLY").contains(projection)) {
            projected.put("ProjectionType", projection);
        } else {
            projected.put("ProjectionType", "INCLUDE");
            ArrayNode names = projected.putArray("NonKeyAttributes");
            List.of(projection.split(",", -1)).forEach(names::add);
        }
        return made;
    }

    private ArrayNode key(String text) {
        ArrayNode key = Wire.JSON.createArrayNode();
        for (String part : text.split(",", -1)) {
            String attribute = part.substring(0, part.indexOf(':'));
            types.put(attribute, part.substring(part.indexOf(':') + 1));
            String role = key.isEmpty() ? "HASH" : "RANGE";
            key.addObject().put("AttributeName", attribute).put("KeyType", role);
        }
        return key;
    }
}
