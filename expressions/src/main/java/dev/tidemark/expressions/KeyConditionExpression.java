package dev.tidemark.expressions;

import dev.tidemark.expressions.KeyCondition.Operator;
import dev.tidemark.expressions.tree.Binding;
import dev.tidemark.expressions.tree.Comparator;
import dev.tidemark.expressions.tree.Condition;
import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.expressions.tree.Operand;
import dev.tidemark.expressions.tree.Uses;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.List;

/** A key condition expression as written. Immutable and thread-safe. */
public final class KeyConditionExpression implements Expression {

    private static final ParsedCache<KeyConditionExpression> CACHE = new ParsedCache<>();

    private final Condition condition;
    private final Uses uses = new Uses();

    private KeyConditionExpression(Condition condition) {
        this.condition = condition;
        condition.collect(uses);
    }

    /**
     * Returns the expression that {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static KeyConditionExpression parse(String text) {
        return CACHE.get(
                text,
                unseen ->
                        new KeyConditionExpression(
                                new TreeBuilder(
                                                ExpressionKind.KEY_CONDITION,
                                                unseen,
                                                ExpressionLimits.OF_A_REQUEST)
                                        .condition()));
    }

    @Override
    public Uses uses() {
        return uses;
    }

    /**
     * Returns what the expression asks of each attribute.
     *
     * @throws dev.tidemark.model.error.ApiException if a placeholder is undefined, a constant is of
     *     a type its operator does not take, or the expression is no conjunction of comparisons of
     *     one attribute with constants, one for each
     */
    public KeyConditions bind(Placeholders placeholders) {
        uses.requireDefined(ExpressionKind.KEY_CONDITION, placeholders);
        condition.check(new Binding(ExpressionKind.KEY_CONDITION, placeholders));
        List<KeyCondition> conditions = new ArrayList<>(2);
        add(condition, placeholders, conditions);
        return new KeyConditions(conditions);
    }

    /** Returns a text that parses to the same condition. */
    @Override
    public String toString() {
        return condition.toString();
    }

    private static void add(
            Condition condition, Placeholders placeholders, List<KeyCondition> conditions) {
        if (condition instanceof Condition.And and) {
            and.conditions().forEach(part -> add(part, placeholders, conditions));
        } else if (condition instanceof Condition.Comparison comparison) {
            conditions.add(comparison(comparison, placeholders));
        } else if (condition instanceof Condition.Between between) {
            conditions.add(
                    keyFirst(
                            "BETWEEN",
                            Operator.BETWEEN,
                            between.operand(),
                            List.of(between.low(), between.high()),
                            placeholders));
        } else if (condition instanceof Condition.BeginsWith beginsWith) {
            conditions.add(
                    keyFirst(
                            "begins_with",
                            Operator.BEGINS_WITH,
                            beginsWith.operand(),
                            List.of(beginsWith.prefix()),
                            placeholders));
        } else {
            throw ExpressionMessages.error(ExpressionMessages.KEY_OPERATOR, operator(condition));
        }
    }

    private static String operator(Condition condition) {
        if (condition instanceof Condition.Or) {
            return "OR";
        }
        if (condition instanceof Condition.Not) {
            return "NOT";
        }
        if (condition instanceof Condition.In) {
            return "IN";
        }
        if (condition instanceof Condition.AttributeExists) {
            return "attribute_exists";
        }
        if (condition instanceof Condition.AttributeNotExists) {
            return "attribute_not_exists";
        }
        if (condition instanceof Condition.AttributeTypeIs) {
            return "attribute_type";
        }
        if (condition instanceof Condition.Contains) {
            return "contains";
        }
        throw new IllegalStateException("A kind of condition has no operator here");
    }

    private static KeyCondition comparison(
            Condition.Comparison comparison, Placeholders placeholders) {
        if (comparison.comparator() == Comparator.NE) {
            throw ExpressionMessages.error(
                    ExpressionMessages.KEY_OPERATOR, comparison.comparator());
        }
        boolean keyLeft = !(comparison.left() instanceof Operand.Value);
        Comparator comparator =
                keyLeft ? comparison.comparator() : comparison.comparator().mirrored();
        return keyCondition(
                Operator.valueOf(comparator.name()),
                keyLeft ? comparison.left() : comparison.right(),
                List.of(keyLeft ? comparison.right() : comparison.left()),
                placeholders);
    }

    private static KeyCondition keyFirst(
            String name,
            Operator operator,
            Operand key,
            List<Operand> operands,
            Placeholders placeholders) {
        if (key instanceof Operand.Value) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_FIRST, name);
        }
        return keyCondition(operator, key, operands, placeholders);
    }

    private static KeyCondition keyCondition(
            Operator operator, Operand key, List<Operand> operands, Placeholders placeholders) {
        if (key instanceof Operand.Value) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_NO_NAME);
        }
        if (!(key instanceof Operand.Path path)) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_NESTED_OPERATION);
        }
        List<AttributeValue> values = new ArrayList<>(2);
        for (Operand operand : operands) {
            if (operand instanceof Operand.Path) {
                throw ExpressionMessages.error(
                        path.path().isTopLevel()
                                ? ExpressionMessages.KEY_SEVERAL_NAMES
                                : ExpressionMessages.KEY_NESTED_ATTRIBUTE);
            }
            if (!(operand instanceof Operand.Value value)) {
                throw ExpressionMessages.error(ExpressionMessages.KEY_NESTED_OPERATION);
            }
            values.add(value.constant(placeholders));
        }
        DocumentPath attribute = path.path();
        if (!attribute.isTopLevel()) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_NESTED_ATTRIBUTE);
        }
        return new KeyCondition(attribute.attribute(placeholders), operator, values);
    }
}
