package dev.tidemark.expressions;

import dev.tidemark.expressions.KeyCondition.Operator;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.KeyValueRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks of the key attributes, at most one condition each.
 *
 * @param conditions in the order of the text
 */
public record KeyConditions(List<KeyCondition> conditions) {

    /**
     * @throws dev.tidemark.model.error.ApiException if an attribute has two conditions
     */
    public KeyConditions {
        conditions = List.copyOf(conditions);
        if (conditions.stream().map(KeyCondition::attribute).distinct().count()
                != conditions.size()) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_TWICE);
        }
    }

    /**
     * Returns the run of keys that a query of a table or index with this schema wants.
     *
     * @throws dev.tidemark.model.error.ApiException if the conditions do not describe one: a
     *     partition attribute lacks an equality, an attribute is no key, sort attributes are not
     *     used from the first on with equalities before the last, or a value does not suit the
     *     schema
     */
    public KeyRange against(KeySchema schema) {
        int most = schema.partition().size() + schema.sort().size();
        if (conditions.size() > Math.max(2, most)) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_LENGTH);
        }
        Map<String, KeyCondition> open = new LinkedHashMap<>();
        conditions.forEach(condition -> open.put(condition.attribute(), condition));
        List<AttributeValue> partitionValues = new ArrayList<>(schema.partition().size());
        for (KeyAttribute attribute : schema.partition()) {
            KeyCondition condition = open.remove(attribute.name());
            if (condition == null) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_MISSED, attribute.name());
            }
            if (condition.operator() != Operator.EQ) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_UNSUPPORTED);
            }
            requireSuited(attribute, condition);
            requireSize(condition, KeyValueRule.MAX_PARTITION_SIZE);
            partitionValues.add(condition.operands().get(0));
        }
        List<AttributeValue> sortEquals = new ArrayList<>(schema.sort().size());
        SortBound bound = null;
        String missed = null;
        for (KeyAttribute attribute : schema.sort()) {
            KeyCondition condition = open.remove(attribute.name());
            if (condition == null) {
                missed = missed == null ? attribute.name() : missed;
                continue;
            }
            if (missed != null) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_MISSED, missed);
            }
            if (bound != null) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_UNSUPPORTED);
            }
            requireSuited(attribute, condition);
            requireSize(condition, KeyValueRule.MAX_SORT_SIZE);
            if (condition.operator() == Operator.EQ) {
                sortEquals.add(condition.operands().get(0));
            } else {
                bound = new SortBound(condition.operator(), condition.operands());
            }
        }
        requireNoneLeft(open, missed);
        return new KeyRange(partitionValues, sortEquals, Optional.ofNullable(bound));
    }

    private static void requireNoneLeft(Map<String, KeyCondition> open, @Nullable String missed) {
        if (open.isEmpty()) {
            return;
        }
        if (missed != null) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_MISSED, missed);
        }
        throw ExpressionMessages.error(ExpressionMessages.KEY_UNSUPPORTED);
    }

    private static void requireSuited(KeyAttribute attribute, KeyCondition condition) {
        for (AttributeValue operand : condition.operands()) {
            if (operand.type() != attribute.type().attributeType()) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_TYPE);
            }
            if (attribute.type() != KeyType.N && operand.size() == 0) {
                throw ExpressionMessages.error(
                        ExpressionMessages.KEY_EMPTY,
                        attribute.type() == KeyType.S ? "string" : "binary",
                        attribute.name());
            }
        }
    }

    private static void requireSize(KeyCondition condition, int most) {
        for (AttributeValue operand : condition.operands()) {
            if (operand.size() > most) {
                throw ExpressionMessages.error(
                        most == KeyValueRule.MAX_PARTITION_SIZE
                                ? ExpressionMessages.PARTITION_KEY_SIZE
                                : ExpressionMessages.SORT_KEY_SIZE);
            }
        }
    }
}
