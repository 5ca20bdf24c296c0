package dev.tidemark.gsi.projection;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyValueRule;

/**
 * Why an item that has an index key attribute still has no place in the index. It does not tell the
 * value, which may be a secret.
 *
 * @param attribute the attribute whose value does not suit
 * @param isPartition whether it is of the index's partition key, not of its sort key
 * @param violation how the value fails
 * @param actual the type of the value
 * @param size the size of the value in bytes, by DynamoDB's arithmetic
 */
public record Unsuitable(
        KeyAttribute attribute,
        boolean isPartition,
        KeyValueRule.Violation violation,
        AttributeType actual,
        int size) {

    /** Returns the most bytes that the value may have. */
    public int sizeLimit() {
        return isPartition ? KeyValueRule.MAX_PARTITION_SIZE : KeyValueRule.MAX_SORT_SIZE;
    }

    /** Returns it in words. */
    public String reason() {
        return switch (violation) {
            case WRONG_TYPE ->
                    "Type mismatch for Index Key "
                            + attribute.name()
                            + " Expected: "
                            + attribute.type()
                            + " Actual: "
                            + actual;
            case EMPTY -> "Index Key " + attribute.name() + " is an empty value";
            case TOO_LONG ->
                    "Index Key "
                            + attribute.name()
                            + " has "
                            + size
                            + " bytes, of which a "
                            + (isPartition ? "partition" : "sort")
                            + " key may have at most "
                            + sizeLimit();
        };
    }
}
