package dev.tidemark.expressions;

import dev.tidemark.expressions.KeyCondition.Operator;
import dev.tidemark.expressions.tree.ValueOrder;
import dev.tidemark.model.item.AttributeValue;
import java.util.List;

/**
 * Which values of one sort attribute a query wants.
 *
 * @param operator how they are compared; not EQ
 * @param operands with what: two values for BETWEEN, else one, all of the attribute's type
 */
public record SortBound(Operator operator, List<AttributeValue> operands) {

    public SortBound {
        operands = List.copyOf(operands);
        if (operator == Operator.EQ) {
            throw new IllegalArgumentException("Invalid sort bound: an equality");
        }
    }

    /** Returns whether {@code value}, which is of the attribute's type, is wanted. */
    public boolean admits(AttributeValue value) {
        AttributeValue operand = operands.get(0);
        return switch (operator) {
            case EQ -> value.equals(operand);
            case LT -> ValueOrder.compare(value, operand) < 0;
            case LE -> ValueOrder.compare(value, operand) <= 0;
            case GT -> ValueOrder.compare(value, operand) > 0;
            case GE -> ValueOrder.compare(value, operand) >= 0;
            case BETWEEN ->
                    ValueOrder.compare(value, operand) >= 0
                            && ValueOrder.compare(value, operands.get(1)) <= 0;
            case BEGINS_WITH -> ValueOrder.beginsWith(value, operand);
        };
    }
}
