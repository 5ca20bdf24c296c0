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
        if (most == 1 && conditions.size() > 1) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_UNSUPPORTED);
        }
        Map<String, KeyCondition> open = new LinkedHashMap<>();
        conditions.forEach(condition -> open.put(condition.attribute(), condition));
        List<AttributeValue> partitionValues = partitionValues(schema, open);
        List<AttributeValue> sortEquals = new ArrayList<>(schema.sort().size());
        List<String> unequal = new ArrayList<>(0);
        SortBound bound = null;
        String missed = null;
        for (KeyAttribute attribute : schema.sort()) {
            KeyCondition condition = open.remove(attribute.name());
            if (condition == null) {
                unequal.add(attribute.name());
                missed = missed == null ? attribute.name() : missed;
                continue;
            }
            if (!unequal.isEmpty()) {
                throw ExpressionMessages.error(
                        ExpressionMessages.SORT_EQUALITIES,
                        ExpressionMessages.listed(unequal),
                        attribute.name());
            }
            requireSuited(attribute, condition);
            requireSize(condition, KeyValueRule.MAX_SORT_SIZE);
            if (condition.operator() == Operator.EQ) {
                sortEquals.add(condition.operands().get(0));
            } else {
                unequal.add(attribute.name());
                bound = new SortBound(condition.operator(), condition.operands());
            }
        }
        requireNoneLeft(open, missed);
        return new KeyRange(partitionValues, sortEquals, Optional.ofNullable(bound));
    }

    /** Takes the conditions on partition attributes out of {@code open}. */
    private static List<AttributeValue> partitionValues(
            KeySchema schema, Map<String, KeyCondition> open) {
        List<AttributeValue> values = new ArrayList<>(schema.partition().size());
        List<String> unequal = new ArrayList<>(0);
        for (KeyAttribute attribute : schema.partition()) {
            KeyCondition condition = open.remove(attribute.name());
            if (condition != null) {
                requireSuited(attribute, condition);
            }
            if (condition == null || condition.operator() != Operator.EQ) {
                if (!isSimple(schema)) {
                    unequal.add(attribute.name());
                    continue;
                }
                throw condition == null
                        ? ExpressionMessages.error(ExpressionMessages.KEY_MISSED, attribute.name())
                        : ExpressionMessages.error(ExpressionMessages.KEY_UNSUPPORTED);
            }
            requireSize(condition, KeyValueRule.MAX_PARTITION_SIZE);
            values.add(condition.operands().get(0));
        }
        if (!unequal.isEmpty()) {
            throw ExpressionMessages.error(
                    ExpressionMessages.PARTITION_EQUALITIES, ExpressionMessages.listed(unequal));
        }
        return values;
    }

    /**
     * Returns whether at most one attribute is of each kind: the others have texts of their own.
     */
    private static boolean isSimple(KeySchema schema) {
        return schema.partition().size() == 1 && schema.sort().size() <= 1;
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
