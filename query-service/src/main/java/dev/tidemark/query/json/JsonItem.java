package dev.tidemark.query.json;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

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
        return values((name, refusal) -> refusal);
    }

    /**
     * Returns the values by name, in the order of the request.
     *
     * @param refusals makes of the name and the refusal of a value what the caller is told
     * @throws ApiException what {@code refusals} makes, if some content is refused
     */
    public Map<String, AttributeValue> values(
            BiFunction<String, ApiException, ApiException> refusals) {
        Map<String, AttributeValue> accepted = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> entry : values.entrySet()) {
            try {
                accepted.put(entry.getKey(), entry.getValue().value());
            } catch (ApiException e) {
                throw refusals.apply(entry.getKey(), e);
            }
        }
        return accepted;
    }

    /** Returns the names, in the order of the request. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }
}
