package dev.tidemark.query;

import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.expressions.legacy.ComparisonOperator;
import dev.tidemark.expressions.legacy.LegacyTranslation.ConditionalOperator;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The conditions of requests from before expressions: Expected, KeyConditions, QueryFilter and
 * ScanFilter, their shape right.
 */
public final class LegacyConditions {

    /** The name of the parameter that says how conditions are joined. */
    public static final String CONDITIONAL_OPERATOR = "ConditionalOperator";

    private static final List<String> OPERATORS =
            List.of(
                    "IN",
                    "NULL",
                    "BETWEEN",
                    "LT",
                    "NOT_CONTAINS",
                    "EQ",
                    "GT",
                    "NOT_NULL",
                    "NE",
                    "LE",
                    "BEGINS_WITH",
                    "GE",
                    "CONTAINS");

    private record Shape(
            Optional<String> operator,
            Optional<List<JsonValue>> values,
            Optional<JsonValue> value,
            Optional<Boolean> exists) {}

    private final String parameter;
    private final boolean isExpected;
    private final Map<String, Shape> shapes = new LinkedHashMap<>();

    private LegacyConditions(String parameter, boolean isExpected) {
        this.parameter = parameter;
        this.isExpected = isExpected;
    }

    /** Reads KeyConditions, QueryFilter or ScanFilter, if the request has them. */
    public static Optional<LegacyConditions> read(JsonBody body, String parameter) {
        return body.objectMap(parameter, "Condition")
                .map(
                        given -> {
                            LegacyConditions conditions = new LegacyConditions(parameter, false);
                            given.forEach(conditions::add);
                            return conditions;
                        });
    }

    /** Reads Expected, if the request has it. */
    public static Optional<LegacyConditions> readExpected(JsonBody body) {
        return body.objectMap("Expected", "ExpectedAttributeValue")
                .map(
                        given -> {
                            LegacyConditions conditions = new LegacyConditions("Expected", true);
                            given.forEach(conditions::add);
                            return conditions;
                        });
    }

    /** Reports operators that are none. */
    public void check(Constraints constraints) {
        String path = parameter.substring(0, 1).toLowerCase(Locale.ROOT) + parameter.substring(1);
        shapes.forEach(
                (attribute, shape) -> {
                    String member = path + "." + attribute + ".member.comparisonOperator";
                    if (!isExpected) {
                        constraints.required(member, shape.operator());
                    }
                    constraints.oneOf(member, shape.operator(), OPERATORS);
                });
    }

    /**
     * Returns the conditions.
     *
     * @throws ApiException a ValidationException if the content of one is refused
     */
    public List<AttributeCondition> conditions() {
        List<AttributeCondition> conditions = new ArrayList<>(shapes.size());
        shapes.forEach((attribute, shape) -> conditions.add(condition(attribute, shape)));
        return conditions;
    }

    /**
     * Returns how the conditions are joined.
     *
     * @throws ApiException a ValidationException if there is nothing to join
     */
    public static ConditionalOperator joined(
            Optional<String> operator, Optional<LegacyConditions> conditions) {
        int count = conditions.map(given -> given.shapes.size()).orElse(0);
        if (operator.isPresent() && count == 0) {
            throw ApiException.validation(
                    "One or more parameter values were invalid: ConditionalOperator cannot be used"
                            + " without Filter or Expected");
        }
        if (operator.isPresent() && count == 1) {
            throw ApiException.validation(
                    "One or more parameter values were invalid: ConditionalOperator can only be"
                            + " used when Filter or Expected has two or more elements");
        }
        return operator.filter("OR"::equals).isPresent()
                ? ConditionalOperator.OR
                : ConditionalOperator.AND;
    }

    private void add(String attribute, JsonBody given) {
        shapes.put(
                attribute,
                new Shape(
                        given.string("ComparisonOperator"),
                        given.attributeValues("AttributeValueList"),
                        isExpected ? given.attributeValue("Value") : Optional.empty(),
                        isExpected ? given.bool("Exists") : Optional.empty()));
    }

    private AttributeCondition condition(String attribute, Shape shape) {
        Optional<AttributeValue> value = shape.value().map(JsonValue::value);
        List<AttributeValue> values =
                shape.values().orElse(List.of()).stream().map(JsonValue::value).toList();
        if (value.isPresent() && shape.values().isPresent()) {
            throw invalid("Value and AttributeValueList cannot be used together", attribute);
        }
        if (shape.operator().isPresent()) {
            if (shape.exists().isPresent()) {
                throw invalid("Exists and ComparisonOperator cannot be used together", attribute);
            }
            ComparisonOperator operator = ComparisonOperator.valueOf(shape.operator().get());
            if (isExpected && !operator.takes(0) && value.isEmpty() && shape.values().isEmpty()) {
                throw invalid(
                        "Value or AttributeValueList must be used with ComparisonOperator: "
                                + operator,
                        attribute);
            }
            return new AttributeCondition(attribute, operator, value.map(List::of).orElse(values));
        }
        if (shape.values().isPresent()) {
            throw invalid(
                    "AttributeValueList can only be used with a ComparisonOperator", attribute);
        }
        boolean exists = shape.exists().orElse(true);
        if (exists && value.isEmpty()) {
            throw invalid(
                    "Value must be provided when Exists is "
                            + shape.exists().map(String::valueOf).orElse("null"),
                    attribute);
        }
        if (!exists && value.isPresent()) {
            throw invalid("Value cannot be used when Exists is false", attribute);
        }
        return exists
                ? new AttributeCondition(
                        attribute, ComparisonOperator.EQ, List.of(value.orElseThrow()))
                : new AttributeCondition(attribute, ComparisonOperator.NULL, List.of());
    }

    private static ApiException invalid(String reason, String attribute) {
        return ApiException.validation(
                "One or more parameter values were invalid: "
                        + reason
                        + " for Attribute: "
                        + attribute);
    }
}
