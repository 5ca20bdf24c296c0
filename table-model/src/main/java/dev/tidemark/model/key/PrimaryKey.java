package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import java.util.List;

/**
 * The values of the key attributes of one item, in the order of its key schema.
 *
 * @param partition the values of the partition (HASH) attributes, at least one
 * @param sort the values of the sort (RANGE) attributes
 */
public record PrimaryKey(List<AttributeValue> partition, List<AttributeValue> sort) {

    public PrimaryKey {
        partition = List.copyOf(partition);
        sort = List.copyOf(sort);
        if (partition.isEmpty()) {
            throw new IllegalArgumentException("Invalid primary key: no partition key value");
        }
    }
}
