package dev.tidemark.expressions;

import dev.tidemark.model.item.AttributeValue;
import java.util.List;

/**
 * What a query asks of one key attribute.
 *
 * @param attribute the attribute's name
 * @param operator how it is compared
 * @param operands with what: two values for BETWEEN, else one
 */
public record KeyCondition(String attribute, Operator operator, List<AttributeValue> operands) {

    /** The comparisons a key attribute may be put to. */
    public enum Operator {
        EQ,
        LT,
        LE,
        GT,
        GE,
        BETWEEN,
        BEGINS_WITH
    }

    public KeyCondition {
        operands = List.copyOf(operands);
        if (operands.size() != (operator == Operator.BETWEEN ? 2 : 1)) {
            throw new IllegalArgumentException("Invalid key condition: number of operands");
        }
    }
}
