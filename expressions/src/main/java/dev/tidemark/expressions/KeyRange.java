package dev.tidemark.expressions;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.key.PrimaryKey;
import java.util.List;
import java.util.Optional;

/**
 * The keys a query wants: one run of a table or index in its order.
 *
 * @param partitionValues the partition key, in the order of the schema
 * @param sortEquals the values of the first sort attributes, in the order of the schema
 * @param bound what is asked of the sort attribute after those
 */
public record KeyRange(
        List<AttributeValue> partitionValues,
        List<AttributeValue> sortEquals,
        Optional<SortBound> bound) {

    public KeyRange {
        partitionValues = List.copyOf(partitionValues);
        sortEquals = List.copyOf(sortEquals);
    }

    /** Returns whether the run contains {@code key}. */
    public boolean contains(PrimaryKey key) {
        return key.partition().equals(partitionValues)
                && sortEquals.equals(key.sort().subList(0, sortEquals.size()))
                && (bound.isEmpty() || bound.get().admits(key.sort().get(sortEquals.size())));
    }
}
