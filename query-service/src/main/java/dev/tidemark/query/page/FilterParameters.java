package dev.tidemark.query.page;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ExpressionLimits;
import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.expressions.legacy.LegacyTranslation;
import dev.tidemark.expressions.legacy.LegacyTranslation.ConditionalOperator;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.LegacyConditions;
import dev.tidemark.query.Messages;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which of the entries read are wanted, its shape right.
 *
 * @param expression FilterExpression
 * @param legacyName the name of the parameter that the expression has replaced
 * @param legacy that parameter
 * @param joined ConditionalOperator
 */
record FilterParameters(
        Optional<String> expression,
        String legacyName,
        Optional<LegacyConditions> legacy,
        Optional<String> joined) {

    static final String EXPRESSION = "FilterExpression";

    private static final List<String> JOINERS = List.of("OR", "AND");

    static FilterParameters read(JsonBody body, String legacyName) {
        return new FilterParameters(
                body.string(EXPRESSION),
                legacyName,
                LegacyConditions.read(body, legacyName),
                body.string(LegacyConditions.CONDITIONAL_OPERATOR));
    }

    Constraints check(Constraints constraints) {
        constraints.oneOf("conditionalOperator", joined, JOINERS);
        legacy.ifPresent(given -> given.check(constraints));
        return constraints;
    }

    /**
     * Returns the conditions of the parameter that the expression has replaced.
     *
     * @throws dev.tidemark.model.error.ApiException a ValidationException if the content of one is
     *     refused
     */
    List<AttributeCondition> conditions() {
        return legacy.map(LegacyConditions::conditions).orElse(List.of());
    }

    /**
     * Returns the filter, and adds its expression to {@code used} if the request has one.
     *
     * @param conditions what stands in its stead, content and all
     */
    Optional<BoundCondition> bind(
            List<AttributeCondition> conditions, Placeholders placeholders, List<Expression> used) {
        if (expression.isPresent()) {
            ConditionExpression parsed = parse(expression.get(), ExpressionLimits.OF_A_REQUEST);
            used.add(parsed);
            return Optional.of(parsed.bind(placeholders));
        }
        ConditionalOperator operator = LegacyConditions.joined(joined, legacy);
        if (conditions.isEmpty()) {
            return Optional.empty();
        }
        LegacyTranslation translation = new LegacyTranslation();
        String text = translation.condition(conditions, operator);
        return Optional.of(
                parse(text, ExpressionLimits.OF_THE_LOG).bind(translation.placeholders()));
    }

    /** Refuses a filter that refers to a key attribute of what is queried. */
    void requireNoKey(BoundCondition bound, KeySchema key) {
        if (expression.isPresent()) {
            bound.requireNoKey(key);
            return;
        }
        Set<String> names = bound.attributeNames();
        for (String keyName : key.names()) {
            if (names.contains(keyName)) {
                throw Messages.legacyFilterOnKey(legacyName, keyName);
            }
        }
    }

    private static ConditionExpression parse(String text, ExpressionLimits limits) {
        return ConditionExpression.parse(text, ConditionExpression.Kind.FILTER, limits);
    }
}
