package dev.tidemark.query.item;

import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.Expression;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Optional;

/** The condition a write may have. */
final class Conditions {

    static final String EXPRESSION = "ConditionExpression";

    /** The names of the parameters that the expression has replaced. */
    static final List<String> LEGACY = List.of("Expected", "ConditionalOperator");

    private Conditions() {}

    static ExpressionParameters parameters(JsonBody body) {
        return ExpressionParameters.read(body, List.of(EXPRESSION), LEGACY);
    }

    static Optional<ConditionExpression> parse(Optional<String> text, List<Expression> used) {
        Optional<ConditionExpression> parsed =
                text.map(
                        condition ->
                                ConditionExpression.parse(
                                        condition, ConditionExpression.Kind.CONDITION));
        parsed.ifPresent(used::add);
        return parsed;
    }
}
