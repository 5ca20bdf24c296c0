package dev.tidemark.expressions.legacy;

import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.rules.NameRule;

/** The texts of what can be wrong with the parameters of this package. */
final class LegacyMessages {

    static final String ARGUMENT_COUNT =
            "Invalid number of argument(s) for the %s ComparisonOperator";
    static final String ARGUMENT_TYPE =
            "ComparisonOperator %s is not valid for %s AttributeValue type";
    static final String MIXED_TYPES =
            "AttributeValues inside AttributeValueList must be of same type";
    static final String BETWEEN_ORDER =
            "The BETWEEN condition was provided a range where the lower bound is greater than the "
                    + "upper bound";
    static final String NO_VALUE =
            "Only DELETE action is allowed when no attribute value is specified";
    static final String DELETE_TYPE = "DELETE action with value is not supported for the type %s";
    static final String ADD_TYPE = "ADD action is not supported for the type %s";
    static final String NOT_INDEXABLE =
            "Attempted conditional constraint is not an indexable operation";

    static final String TYPE_MISMATCH = "Type mismatch for attribute to update";

    private LegacyMessages() {}

    /** Refuses a name that no attribute can have. */
    static void requireName(String attribute) {
        NameRule.violation(attribute)
                .ifPresent(
                        text -> {
                            throw plain(text);
                        });
    }

    /** Returns the exception that says a parameter's value is invalid, and why. */
    static ApiException invalid(String text, Object... values) {
        return ExpressionMessages.error(
                "One or more parameter values were invalid: " + text, values);
    }

    static ApiException plain(String text) {
        return ExpressionMessages.error(text);
    }
}
