package dev.tidemark.expressions.legacy;

import dev.tidemark.expressions.tree.ValueOrder;
import dev.tidemark.model.item.AttributeValue;
import java.util.List;

/**
 * One entry of Expected, KeyConditions, QueryFilter or ScanFilter.
 *
 * @param attribute the attribute's name
 * @param operator how it is compared
 * @param values with what
 */
public record AttributeCondition(
        String attribute, ComparisonOperator operator, List<AttributeValue> values) {

    /**
     * @throws dev.tidemark.model.error.ApiException if the name is none an attribute can have, or
     *     the operator does not take as many values, or values of these types
     */
    public AttributeCondition {
        LegacyMessages.requireName(attribute);
        values = List.copyOf(values);
        if (!operator.takes(values.size())) {
            throw LegacyMessages.invalid(LegacyMessages.ARGUMENT_COUNT, operator);
        }
        for (AttributeValue value : values) {
            if (!operator.takes(value.type())) {
                throw LegacyMessages.invalid(LegacyMessages.ARGUMENT_TYPE, operator, value.type());
            }
            if (value.type() != values.get(0).type()) {
                throw LegacyMessages.invalid(LegacyMessages.MIXED_TYPES);
            }
        }
        if (operator == ComparisonOperator.BETWEEN
                && ValueOrder.compare(values.get(0), values.get(1)) > 0) {
            throw LegacyMessages.plain(LegacyMessages.BETWEEN_ORDER);
        }
    }
}
