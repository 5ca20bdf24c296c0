package dev.tidemark.query;

import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.PlaceholderUse;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.rules.NameRule;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The placeholders of one request, and the rules about having expressions at all. Made in two
 * steps, as DynamoDB complains of shapes first.
 */
public final class ExpressionParameters {

    private final Optional<Map<String, String>> names;
    private final Optional<JsonItem> values;
    private final List<String> possible;
    private final List<String> expressions;
    private final List<String> legacy;

    private ExpressionParameters(
            Optional<Map<String, String>> names,
            Optional<JsonItem> values,
            List<String> possible,
            List<String> expressions,
            List<String> legacy) {
        this.names = names;
        this.values = values;
        this.possible = possible;
        this.expressions = expressions;
        this.legacy = legacy;
    }

    /**
     * Reads the parameters.
     *
     * @param possible the names of the operation's expression parameters that values may serve
     * @param legacy the names of the parameters that expressions have replaced
     */
    public static ExpressionParameters read(
            JsonBody body, List<String> possible, List<String> legacy) {
        List<String> present = new ArrayList<>(2);
        for (String name : possible) {
            if (body.string(name).isPresent()) {
                present.add(name);
            }
        }
        List<String> old = new ArrayList<>(0);
        for (String name : legacy) {
            if (body.has(name)) {
                old.add(name);
            }
        }
        return new ExpressionParameters(
                body.stringMap("ExpressionAttributeNames"),
                body.item("ExpressionAttributeValues"),
                possible,
                present,
                old);
    }

    /** Returns the names of the parameters given that expressions have replaced. */
    public List<String> legacy() {
        return legacy;
    }

    /**
     * Checks that expressions and what they replaced are not mixed, and that there are placeholders
     * only for expressions.
     *
     * @throws ApiException a ValidationException if not
     */
    public void checkCombination() {
        if (!expressions.isEmpty() && !legacy.isEmpty()) {
            throw Messages.mixedParameters(legacy, expressions);
        }
        if (names.isPresent() && expressions.isEmpty()) {
            throw ApiException.validation(Messages.NAMES_WITHOUT_EXPRESSION);
        }
        if (values.isPresent() && expressions.isEmpty()) {
            throw Messages.valuesWithoutExpression(
                    possible.stream().filter(name -> !name.startsWith("Projection")).toList());
        }
    }

    /**
     * Returns the placeholders.
     *
     * @throws ApiException a ValidationException if a placeholder is none by its spelling, a name
     *     is none an attribute can have, or the content of a value is refused
     */
    public Placeholders placeholders() {
        if (names.isEmpty() && values.isEmpty()) {
            return Placeholders.NONE;
        }
        PlaceholderUse.requireWellFormed(names.map(Map::keySet), values.map(JsonItem::names));
        names.ifPresent(given -> given.forEach(ExpressionParameters::requireName));
        Map<String, AttributeValue> byPlaceholder =
                values.map(given -> given.values(Messages::invalidPlaceholderValue))
                        .orElse(Map.of());
        return new Placeholders(names.orElse(Map.of()), byPlaceholder);
    }

    private static void requireName(String placeholder, String name) {
        NameRule.violation(name)
                .ifPresent(
                        text -> {
                            throw Messages.invalidPlaceholderName(placeholder, text);
                        });
    }

    /**
     * Checks that every placeholder is used by some expression.
     *
     * @throws ApiException a ValidationException if not
     */
    public static void requireAllUsed(Placeholders placeholders, List<Expression> expressions) {
        if (placeholders.names().isEmpty() && placeholders.values().isEmpty()) {
            return;
        }
        PlaceholderUse use = new PlaceholderUse(placeholders);
        expressions.forEach(use::add);
        use.requireAllUsed();
    }
}
