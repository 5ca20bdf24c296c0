package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import java.util.Optional;

/** What a value must satisfy to serve as a key value. Source: DynamoDB, naming rules and limits. */
public final class KeyValueRule {

    /** The most bytes of a partition key value. */
    public static final int MAX_PARTITION_SIZE = 2048;

    /** The most bytes of a sort key value. */
    public static final int MAX_SORT_SIZE = 1024;

    /** How a value fails to be a key value. */
    public enum Violation {
        WRONG_TYPE,
        EMPTY,
        TOO_LONG
    }

    private KeyValueRule() {}

    /**
     * Returns how {@code value} fails to serve as {@code attribute} with at most {@code maxSize}
     * bytes, if it does.
     */
    public static Optional<Violation> violation(
            KeyAttribute attribute, AttributeValue value, int maxSize) {
        if (value.type() != attribute.type().attributeType()) {
            return Optional.of(Violation.WRONG_TYPE);
        }
        if (attribute.type() == KeyType.N) {
            return Optional.empty();
        }
        int size = value.size();
        if (size == 0) {
            return Optional.of(Violation.EMPTY);
        }
        return size > maxSize ? Optional.of(Violation.TOO_LONG) : Optional.empty();
    }
}
