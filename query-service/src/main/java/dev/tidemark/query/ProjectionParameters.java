package dev.tidemark.query;

import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.rules.NameRule;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.json.JsonBody;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a request says about the attributes it wants.
 *
 * @param expression ProjectionExpression
 * @param attributes AttributesToGet, which the expression has replaced
 */
public record ProjectionParameters(Optional<String> expression, Optional<List<String>> attributes) {

    /** The names of the parameters that expressions have replaced. */
    public static final String LEGACY = "AttributesToGet";

    public static final String EXPRESSION = "ProjectionExpression";

    public static ProjectionParameters read(JsonBody body) {
        return new ProjectionParameters(body.string(EXPRESSION), body.strings(LEGACY));
    }

    /** Returns the name of the parameter given, if one is. */
    public Optional<String> given() {
        if (expression.isPresent()) {
            return Optional.of(EXPRESSION);
        }
        return attributes.isPresent() ? Optional.of(LEGACY) : Optional.empty();
    }

    public void check(Constraints constraints) {
        attributes.ifPresent(
                names ->
                        constraints.size(
                                "attributesToGet",
                                "[" + String.join(", ", names) + "]",
                                names.size(),
                                1,
                                255));
    }

    /**
     * Checks that every name is one an attribute can have, and none is given twice.
     *
     * @throws dev.tidemark.model.error.ApiException a ValidationException if not
     */
    public void checkNames() {
        Set<String> seen = new HashSet<>();
        for (String name : attributes.orElse(List.of())) {
            NameRule.violation(name)
                    .ifPresent(
                            text -> {
                                throw ApiException.validation(text);
                            });
            if (!seen.add(name)) {
                throw Messages.duplicateAttribute(name);
            }
        }
    }

    /** Parses the expression and adds it to {@code used}. */
    public Optional<ProjectionExpression> parse(List<Expression> used) {
        Optional<ProjectionExpression> parsed = expression.map(ProjectionExpression::parse);
        parsed.ifPresent(used::add);
        return parsed;
    }

    /** Returns the output that shows what is asked for; whole items if nothing is said. */
    public ItemOutput output(Optional<ProjectionExpression> parsed, Placeholders placeholders) {
        if (parsed.isPresent()) {
            return ItemOutput.of(parsed.get().bind(placeholders));
        }
        return attributes.map(ItemOutput::of).orElse(ItemOutput.WHOLE);
    }
}
