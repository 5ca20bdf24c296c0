package dev.tidemark.query.json;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A Key, an Item or the values of placeholders of a request, whose shape is right, but whose
 * content may still be refused.
 */
public final class JsonItem {

    private final Map<String, JsonValue> values;

    private JsonItem(Map<String, JsonValue> values) {
        this.values = values;
    }

    static JsonItem of(Object content) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        JsonBody.asMap(content, "com.amazonaws.dynamodb.v20120810.AttributeValue")
                .forEach((name, value) -> values.put(name, JsonValue.ofElement(value)));
        return new JsonItem(values);
    }

    /**
     * Returns the item.
     *
     * @throws dev.tidemark.model.error.ApiException a ValidationException if some content is
     *     refused
     */
    public Item item() {
        return new Item(values());
    }

    /**
     * Returns the values by name, in the order of the request.
     *
     * @throws dev.tidemark.model.error.ApiException a ValidationException if some content is
     *     refused
     */
    public Map<String, AttributeValue> values() {
        Map<String, AttributeValue> accepted = new LinkedHashMap<>();
        values.forEach((name, value) -> accepted.put(name, value.value()));
        return accepted;
    }
}
