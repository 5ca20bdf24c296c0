package dev.tidemark.model.write;

import dev.tidemark.model.item.AttributeValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code #name} and {@code :value} stand for in the expressions of one request.
 *
 * @param names attribute names by placeholder, the {@code #} included
 * @param values attribute values by placeholder, the {@code :} included
 */
public record Placeholders(Map<String, String> names, Map<String, AttributeValue> values) {

    public static final Placeholders NONE = new Placeholders(Map.of(), Map.of());

    public Placeholders {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
}
