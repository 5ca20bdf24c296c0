package dev.tidemark.model.item;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of named attributes. Keeps the order it was made in; compares without order.
 *
 * @param attributes the values by attribute name
 */
public record Item(Map<String, AttributeValue> attributes) {

    public static final Item EMPTY = new Item(Map.of());

    /** The most bytes an item may have by {@link #size()}: 400 KB. Source: DynamoDB limits. */
    public static final int MAX_SIZE = 409_600;

    public Item {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Returns the value of an attribute, or empty if the item lacks it. */
    public Optional<AttributeValue> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    /**
     * Returns the value of an attribute, or null if the item lacks it; for paths where an Optional
     * costs too much.
     */
    public @Nullable AttributeValue get(String name) {
        return attributes.get(name);
    }

    public boolean isEmpty() {
        return attributes.isEmpty();
    }

    /** Returns this item with only the attributes in {@code names}. */
    public Item only(Collection<String> names) {
        Map<String, AttributeValue> kept = new LinkedHashMap<>();
        attributes.forEach(
                (name, value) -> {
                    if (names.contains(name)) {
                        kept.put(name, value);
                    }
                });
        return new Item(kept);
    }

    /** Returns the size in bytes by DynamoDB's arithmetic: names and values. */
    public int size() {
        int size = 0;
        for (Map.Entry<String, AttributeValue> entry : attributes.entrySet()) {
            size += Utf8.length(entry.getKey()) + entry.getValue().size();
        }
        return size;
    }
}
