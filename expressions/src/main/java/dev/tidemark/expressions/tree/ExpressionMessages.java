package dev.tidemark.expressions.tree;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import java.util.Base64;
import java.util.Collection;
import java.util.Locale;

/**
 * The texts of everything that can be wrong with an expression, word for word as Amazon's endpoints
 * send them: clients match on them.
 */
public final class ExpressionMessages {

    // Of an expression; "Invalid <kind>: " comes first.

    public static final String EMPTY = "The expression can not be empty;";
    public static final String TOO_LONG =
            "Expression size has exceeded the maximum allowed size; expression size: %d";
    public static final String TOO_MANY_OPERATORS =
            "The expression contains too many operators; operator count: %d";
    public static final String SYNTAX = "Syntax error; token: \"%s\", near: \"%s\"";
    public static final String REDUNDANT_PARENTHESES = "The expression has redundant parentheses;";
    public static final String RESERVED_WORD =
            "Attribute name is a reserved keyword; reserved keyword: %s";
    public static final String INDEX_TOO_HIGH =
            "List index is not within the allowable range; index: [%s]";
    public static final String PATH_TOO_DEEP =
            "The document path has too many nesting elements; nesting levels: %d";
    public static final String UNKNOWN_FUNCTION = "Invalid function name; function: %s";
    public static final String MISUSED_FUNCTION =
            "The function is not allowed to be used this way in an expression; function: %s";
    public static final String NOT_IN_CONDITION =
            "The function is not allowed in a condition expression; function: %s";
    public static final String NOT_IN_UPDATE =
            "The function is not allowed in an update expression; function: %s";
    public static final String OPERAND_COUNT =
            "Incorrect number of operands for operator or function; operator or function: %s, "
                    + "number of operands: %d";
    public static final String OPERAND_TYPE =
            "Incorrect operand type for operator or function; operator or function: %s, operand type: %s";
    public static final String UPDATE_OPERAND_TYPE =
            "Incorrect operand type for operator or function; operator: %s, operand type: %s, "
                    + "typeSet: ALLOWED_FOR_%s_OPERAND";
    public static final String ATTRIBUTE_TYPES = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";
    public static final String UNKNOWN_TYPE =
            "Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
    public static final String NOT_A_PATH =
            "Operator or function requires a document path; operator or function: %s";
    public static final String NOT_DISTINCT =
            "The first operand must be distinct from the remaining operands for this operator or "
                    + "function; operator: %s, first operand: %s";
    public static final String BETWEEN_TYPES =
            "The BETWEEN operator requires same data type for lower and upper bounds; "
                    + "lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s";
    public static final String BETWEEN_ORDER =
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                    + "lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s";
    public static final String UNDEFINED_NAME =
            "An expression attribute name used in the document path is not defined; attribute name: %s";
    public static final String UNDEFINED_VALUE =
            "An expression attribute value used in expression is not defined; attribute value: %s";
    public static final String SECTION_TWICE =
            "The \"%s\" section can only be used once in an update expression;";
    public static final String PATHS_OVERLAP =
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
                    + "path one: %s, path two: %s";
    public static final String PATHS_CONFLICT =
            "Two document paths conflict with each other; must remove or rewrite one of these paths; "
                    + "path one: %s, path two: %s";

    // Of the placeholders of a request.

    public static final String NAMES_EMPTY = "ExpressionAttributeNames must not be empty";
    public static final String VALUES_EMPTY = "ExpressionAttributeValues must not be empty";
    public static final String NAME_KEY =
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"%s\"";
    public static final String VALUE_KEY =
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"%s\"";
    public static final String NAMES_UNUSED =
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {%s}";
    public static final String VALUES_UNUSED =
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {%s}";

    // Of key conditions.

    public static final String KEY_OPERATOR = "Invalid operator used in KeyConditionExpression: %s";
    public static final String KEY_FIRST =
            "Invalid condition in KeyConditionExpression: %s operator must have the key attribute as "
                    + "its first operand";
    public static final String KEY_SEVERAL_NAMES =
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
    public static final String KEY_NO_NAME =
            "Invalid condition in KeyConditionExpression: No key attribute specified";
    public static final String KEY_NESTED_OPERATION =
            "KeyConditionExpressions cannot contain nested operations";
    public static final String KEY_NESTED_ATTRIBUTE =
            "KeyConditionExpressions cannot have conditions on nested attributes";
    public static final String KEY_TWICE =
            "KeyConditionExpressions must only contain one condition per key";
    public static final String KEY_LENGTH = "Conditions can be of length 1 or 2 only";
    public static final String KEY_MISSED = "Query condition missed key schema element: %s";
    public static final String KEY_UNSUPPORTED = "Query key condition not supported";
    public static final String PARTITION_EQUALITIES =
            "HASH key attributes %s must have equality conditions specified in the query";
    public static final String SORT_EQUALITIES =
            "RANGE key attributes %s must have equality conditions specified in the query because a "
                    + "condition is present on key attribute %s";
    public static final String KEY_TYPE =
            "One or more parameter values were invalid: Condition parameter type does not match "
                    + "schema type";
    public static final String KEY_EMPTY =
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
                    + "cannot contain an empty %s value. Key: %s";
    public static final String PARTITION_KEY_SIZE =
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
                    + "size limit of2048 bytes";
    public static final String SORT_KEY_SIZE =
            "One or more parameter values were invalid: Aggregated size of all range keys has "
                    + "exceeded the size limit of 1024 bytes";

    // Of an expression and the key schema it meets.

    public static final String FILTER_ON_KEY =
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: %s";
    public static final String UPDATE_OF_KEY =
            "One or more parameter values were invalid: Cannot update attribute %s. This attribute is "
                    + "part of the key";
    public static final String KEY_ACCESS =
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                    + "allowed: Key: %s";
    public static final String INDEX_KEY_ACCESS =
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                    + "allowed: IndexKey: %s";

    // Of an update and the item it meets.

    public static final String INVALID_PATH =
            "The document path provided in the update expression is invalid for update";
    public static final String NO_ATTRIBUTE =
            "The provided expression refers to an attribute that does not exist in the item";
    public static final String WRONG_TYPE =
            "An operand in the update expression has an incorrect data type";
    public static final String NESTING =
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
                    + "levels beyond supported limit";

    private ExpressionMessages() {}

    /** Returns the exception that says {@code text}, its gaps filled with {@code values}. */
    public static ApiException error(String text, Object... values) {
        return ApiException.validation(filled(text, values));
    }

    static String filled(String text, Object... values) {
        return values.length == 0 ? text : String.format(Locale.ROOT, text, values);
    }

    /** Returns how texts show a value: {@code {S:a}}. */
    public static String shown(AttributeValue value) {
        return "{" + value.type() + ":" + content(value) + "}";
    }

    /** Returns how texts about ADD and DELETE name a type. */
    static String longName(AttributeType type) {
        return switch (type) {
            case S -> "STRING";
            case N -> "NUMBER";
            case B -> "BINARY";
            case BOOL -> "BOOLEAN";
            case NULL -> "NULL";
            case L -> "LIST";
            case M -> "MAP";
            case SS -> "STRING_SET";
            case NS -> "NUMBER_SET";
            case BS -> "BINARY_SET";
        };
    }

    private static String content(AttributeValue value) {
        if (value instanceof AttributeValue.S string) {
            return string.value();
        }
        if (value instanceof AttributeValue.N number) {
            return number.value().text();
        }
        if (value instanceof AttributeValue.B binary) {
            return Base64.getEncoder().encodeToString(binary.value().toByteArray());
        }
        return value.type().toString();
    }

    /** Returns {@code keys} as texts list them. */
    public static String listed(Collection<String> keys) {
        return String.join(", ", keys);
    }
}
