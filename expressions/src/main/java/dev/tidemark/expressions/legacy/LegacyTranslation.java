package dev.tidemark.expressions.legacy;

import dev.tidemark.expressions.KeyCondition;
import dev.tidemark.expressions.KeyConditions;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Puts the parameters of one request into expressions, with placeholders of its own: {@code #0},
 * {@code :0} and so on. A request has either these parameters or expressions, so they meet no
 * others. Not thread-safe.
 */
public final class LegacyTranslation {

    /** How several conditions are joined. */
    public enum ConditionalOperator {
        AND,
        OR
    }

    private final Map<String, String> placeholderByName = new LinkedHashMap<>();
    private final Map<String, AttributeValue> values = new LinkedHashMap<>();

    /** Returns the condition expression, or filter expression, of one or more conditions. */
    public String condition(List<AttributeCondition> conditions, ConditionalOperator operator) {
        if (conditions.isEmpty()) {
            throw new IllegalArgumentException("Invalid condition: none");
        }
        StringJoiner text = new StringJoiner(" " + operator + " ");
        conditions.forEach(condition -> text.add(term(condition)));
        return text.toString();
    }

    /** Returns the update expression of one or more updates. */
    public String update(List<AttributeUpdate> updates) {
        List<String> set = new ArrayList<>();
        List<String> remove = new ArrayList<>();
        List<String> add = new ArrayList<>();
        List<String> delete = new ArrayList<>();
        for (AttributeUpdate update : updates) {
            String name = name(update.attribute());
            if (update.value().isEmpty()) {
                remove.add(name);
                continue;
            }
            AttributeValue value = update.value().get();
            switch (update.action()) {
                case PUT -> set.add(name + "=" + value(value));
                case DELETE -> delete.add(name + " " + value(value));
                case ADD -> {
                    if (value instanceof AttributeValue.L) {
                        String none = value(new AttributeValue.L(List.of()));
                        set.add(
                                "%s=list_append(if_not_exists(%s,%s),%s)"
                                        .formatted(name, name, none, value(value)));
                    } else {
                        add.add(name + " " + value(value));
                    }
                }
            }
        }
        StringJoiner text = new StringJoiner(" ");
        addSection("SET", set, text);
        addSection("REMOVE", remove, text);
        addSection("ADD", add, text);
        addSection("DELETE", delete, text);
        return text.toString();
    }

    /** Returns the projection expression of one or more attributes. */
    public String projection(List<String> attributes) {
        StringJoiner text = new StringJoiner(",");
        attributes.forEach(attribute -> text.add(name(attribute)));
        return text.toString();
    }

    /**
     * Returns what a query's KeyConditions ask of each attribute.
     *
     * @throws dev.tidemark.model.error.ApiException if an operator is none for keys
     */
    public static KeyConditions keyConditions(List<AttributeCondition> conditions) {
        return new KeyConditions(conditions.stream().map(LegacyTranslation::keyCondition).toList());
    }

    /**
     * Returns what the caller of these parameters is told when the update they were put into is
     * refused with {@code text}: some refusals have words of their own here.
     */
    public static String refusal(String text) {
        return text.equals(ExpressionMessages.WRONG_TYPE) ? LegacyMessages.TYPE_MISMATCH : text;
    }

    /** Returns the placeholders of all expressions made so far. */
    public Placeholders placeholders() {
        Map<String, String> names = new LinkedHashMap<>();
        placeholderByName.forEach((name, placeholder) -> names.put(placeholder, name));
        return new Placeholders(names, values);
    }

    private String term(AttributeCondition condition) {
        String name = name(condition.attribute());
        List<String> given = condition.values().stream().map(this::value).toList();
        return switch (condition.operator()) {
            case EQ -> name + "=" + given.get(0);
            case NE -> name + "<>" + given.get(0);
            case LE -> name + "<=" + given.get(0);
            case LT -> name + "<" + given.get(0);
            case GE -> name + ">=" + given.get(0);
            case GT -> name + ">" + given.get(0);
            case IN -> name + " IN (" + String.join(",", given) + ")";
            case BETWEEN -> name + " BETWEEN " + given.get(0) + " AND " + given.get(1);
            case NOT_NULL -> "attribute_exists(" + name + ")";
            case NULL -> "attribute_not_exists(" + name + ")";
            case CONTAINS -> "contains(" + name + "," + given.get(0) + ")";
            // what is missing neither contains nor lacks anything
            case NOT_CONTAINS ->
                    "(attribute_exists(%s) AND NOT contains(%s,%s))"
                            .formatted(name, name, given.get(0));
            case BEGINS_WITH -> "begins_with(" + name + "," + given.get(0) + ")";
        };
    }

    private static KeyCondition keyCondition(AttributeCondition condition) {
        return new KeyCondition(
                condition.attribute(), keyOperator(condition.operator()), condition.values());
    }

    private static KeyCondition.Operator keyOperator(ComparisonOperator operator) {
        return switch (operator) {
            case EQ -> KeyCondition.Operator.EQ;
            case LE -> KeyCondition.Operator.LE;
            case LT -> KeyCondition.Operator.LT;
            case GE -> KeyCondition.Operator.GE;
            case GT -> KeyCondition.Operator.GT;
            case BETWEEN -> KeyCondition.Operator.BETWEEN;
            case BEGINS_WITH -> KeyCondition.Operator.BEGINS_WITH;
            case NE, IN, NOT_NULL, NULL, CONTAINS, NOT_CONTAINS ->
                    throw LegacyMessages.plain(LegacyMessages.NOT_INDEXABLE);
        };
    }

    private static void addSection(String name, List<String> actions, StringJoiner text) {
        if (!actions.isEmpty()) {
            text.add(name + " " + String.join(",", actions));
        }
    }

    private String name(String attribute) {
        return placeholderByName.computeIfAbsent(
                attribute, unseen -> "#" + placeholderByName.size());
    }

    private String value(AttributeValue value) {
        String placeholder = ":" + values.size();
        values.put(placeholder, value);
        return placeholder;
    }
}
