package dev.tidemark.expressions.tree;

import dev.tidemark.model.error.ApiException;

/** The parameters of a request that hold an expression. */
public enum ExpressionKind {
    CONDITION("ConditionExpression"),
    FILTER("FilterExpression"),
    KEY_CONDITION("KeyConditionExpression"),
    PROJECTION("ProjectionExpression"),
    UPDATE("UpdateExpression");

    private final String parameter;

    ExpressionKind(String parameter) {
        this.parameter = parameter;
    }

    /** Returns the name of the parameter. */
    public String parameter() {
        return parameter;
    }

    /** Returns the exception that says the expression is invalid, and why. */
    public ApiException invalid(String text, Object... values) {
        return ApiException.validation(
                "Invalid " + parameter + ": " + ExpressionMessages.filled(text, values));
    }
}
