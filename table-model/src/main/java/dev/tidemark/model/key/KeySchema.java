package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The attributes that identify an item within a table or place it in an index.
 *
 * <p>A table has one partition attribute and at most one sort attribute; a global index may have up
 * to four of each.
 *
 * @param partition the attributes whose values decide which partition owns the item, 1 to 4
 * @param sort the attributes that order items within a partition key value, 0 to 4
 */
public record KeySchema(List<KeyAttribute> partition, List<KeyAttribute> sort) {

    /** The most attributes of each kind. Source: DynamoDB, multi-attribute keys. */
    public static final int MAX_ATTRIBUTES = 4;

    public KeySchema {
        partition = List.copyOf(partition);
        sort = List.copyOf(sort);
        if (partition.isEmpty()
                || partition.size() > MAX_ATTRIBUTES
                || sort.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException(
                    "Invalid key schema: 1 to 4 partition and 0 to 4 sort attributes");
        }
        Set<String> names = new HashSet<>();
        partition.forEach(attribute -> names.add(attribute.name()));
        sort.forEach(attribute -> names.add(attribute.name()));
        if (names.size() != partition.size() + sort.size()) {
            throw new IllegalArgumentException("Invalid key schema: one attribute used twice");
        }
    }

    public static KeySchema simple(KeyAttribute partition) {
        return new KeySchema(List.of(partition), List.of());
    }

    public static KeySchema composite(KeyAttribute partition, KeyAttribute sort) {
        return new KeySchema(List.of(partition), List.of(sort));
    }

    /** Returns all key attributes, partition attributes first. */
    public List<KeyAttribute> attributes() {
        List<KeyAttribute> all = new ArrayList<>(partition);
        all.addAll(sort);
        return all;
    }

    /** Returns the names of all key attributes, partition attributes first. */
    public List<String> names() {
        return attributes().stream().map(KeyAttribute::name).toList();
    }

    public boolean hasSort() {
        return !sort.isEmpty();
    }

    /**
     * Returns the key of {@code item}, or empty if some key attribute is missing, of another type,
     * an empty string or binary, or too long: such an item has no place under this schema. A sparse
     * index is this {@code empty}.
     */
    public Optional<PrimaryKey> keyOf(Item item) {
        List<AttributeValue> partitionValues = new ArrayList<>(partition.size());
        for (KeyAttribute attribute : partition) {
            AttributeValue value = item.get(attribute.name());
            if (value == null
                    || KeyValueRule.violation(attribute, value, KeyValueRule.MAX_PARTITION_SIZE)
                            .isPresent()) {
                return Optional.empty();
            }
            partitionValues.add(value);
        }
        List<AttributeValue> sortValues = new ArrayList<>(sort.size());
        for (KeyAttribute attribute : sort) {
            AttributeValue value = item.get(attribute.name());
            if (value == null
                    || KeyValueRule.violation(attribute, value, KeyValueRule.MAX_SORT_SIZE)
                            .isPresent()) {
                return Optional.empty();
            }
            sortValues.add(value);
        }
        return Optional.of(new PrimaryKey(partitionValues, sortValues));
    }

    /** Returns the key attributes of {@code key} as an item: what DynamoDB calls a Key. */
    public Item toItem(PrimaryKey key) {
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        for (int at = 0; at < partition.size(); at++) {
            values.put(partition.get(at).name(), key.partition().get(at));
        }
        for (int at = 0; at < sort.size(); at++) {
            values.put(sort.get(at).name(), key.sort().get(at));
        }
        return new Item(values);
    }
}
