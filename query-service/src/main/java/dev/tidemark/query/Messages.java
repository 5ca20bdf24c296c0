package dev.tidemark.query;

import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableName;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What callers of the item operations are told, word for word as Amazon's endpoints say it: clients
 * match on these texts. Those about one expression, one item or one key are with their rules.
 */
public final class Messages {

    public static final String RESOURCE_NOT_FOUND = "Requested resource not found";
    public static final String CONDITION_FAILED = "The conditional request failed";
    public static final String RETURN_VALUES = "ReturnValues can only be ALL_OLD or NONE";
    public static final String DUPLICATE_KEYS = "Provided list of item keys contains duplicates";
    public static final String TOO_MANY_KEYS = "Too many items requested for the BatchGetItem call";
    public static final String TOO_MANY_WRITES =
            "Too many items requested for the BatchWriteItem call";
    public static final String ONE_WRITE_EACH =
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of"
                    + " the supported datatypes";
    public static final String NAMES_WITHOUT_EXPRESSION =
            "ExpressionAttributeNames can only be specified when using expressions";
    public static final String NO_KEY_CONDITION =
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the"
                    + " request.";
    public static final String CONSISTENT_READ_OF_GLOBAL_INDEX =
            "Consistent reads are not supported on global secondary indexes";
    public static final String SPECIFIC_WITHOUT_PROJECTION =
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get"
                    + " SPECIFIC_ATTRIBUTES";
    public static final String PROJECTED_WITHOUT_INDEX =
            "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only"
                    + " when Querying using an IndexName";
    public static final String START_KEY = "The provided starting key is invalid";
    public static final String START_KEY_SCHEMA =
            "The provided starting key is invalid: The provided key element does not match the"
                    + " schema";
    public static final String START_KEY_OUTSIDE =
            "The provided starting key is outside query boundaries based on provided conditions";
    public static final String START_KEY_PREDICATE =
            "The provided starting key does not match the range key predicate";
    public static final String START_KEY_ONE_ROW =
            "The query can return at most one row and cannot be restarted";
    public static final String SEGMENT_WITHOUT_TOTAL =
            "The TotalSegments parameter is required but was not present in the request when"
                    + " Segment parameter is present";
    public static final String TOTAL_WITHOUT_SEGMENT =
            "The Segment parameter is required but was not present in the request when parameter"
                    + " TotalSegments is present";

    private Messages() {}

    public static ApiException tableNotFound() {
        return new ApiException(ApiError.RESOURCE_NOT_FOUND, RESOURCE_NOT_FOUND);
    }

    public static ApiException indexNotFound(String index) {
        return ApiException.validation("The table does not have the specified index: " + index);
    }

    /** Of an operation of our own, which tells of the index and does not read it. */
    public static ApiException noSuchIndex(String index, TableName table) {
        return new ApiException(
                ApiError.RESOURCE_NOT_FOUND,
                RESOURCE_NOT_FOUND + ": Index " + index + " for table " + table);
    }

    public static ApiException indexBackfilling(String index) {
        return ApiException.validation(
                "Cannot read from backfilling global secondary index: " + index);
    }

    /** Returns what another node is told that has read a generation which is not known here. */
    public static ApiException generationUnknown(String index) {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The generation of the index changes just now; try again: " + index);
    }

    public static ApiException requestItemsRequired(String operation) {
        return ApiException.validation("The requestItems parameter is required for " + operation);
    }

    /** Amazon's other case and missing value are on purpose. */
    public static String tooManyKeys(String table, int most) {
        return "Value at 'RequestItems."
                + table
                + ".member.Keys' failed to satisfy constraint: Member must have length less than or"
                + " equal to "
                + most;
    }

    public static ApiException mixedParameters(
            Collection<String> legacy, Collection<String> expressions) {
        return ApiException.validation(
                "Can not use both expression and non-expression parameters in the same request:"
                        + " Non-expression parameters: {"
                        + String.join(", ", legacy)
                        + "} Expression parameters: {"
                        + String.join(", ", expressions)
                        + "}");
    }

    public static ApiException valuesWithoutExpression(Collection<String> expressions) {
        return ApiException.validation(
                "ExpressionAttributeValues can only be specified when using expressions: "
                        + String.join(" and ", expressions)
                        + (expressions.size() == 1 ? " is null" : " are null"));
    }

    public static ApiException invalidPlaceholderName(String placeholder, String text) {
        return invalidPlaceholder("ExpressionAttributeNames", text, placeholder);
    }

    public static ApiException invalidPlaceholderValue(String placeholder, ApiException refusal) {
        return invalidPlaceholder("ExpressionAttributeValues", refusal.text(), placeholder);
    }

    private static ApiException invalidPlaceholder(
            String parameter, String text, String placeholder) {
        return ApiException.validation(
                parameter + " contains invalid value: " + text + " for key " + placeholder);
    }

    public static ApiException invalidStartKeyValue(ApiException refusal) {
        String text = refusal.text();
        boolean plain =
                text.contains("contains duplicates")
                        || text.contains("number set")
                        || text.contains("numeric value")
                        || text.contains("significant digits")
                        || text.contains("number with magnitude");
        return plain ? refusal : invalidStartKey(text);
    }

    public static ApiException startKeyOfAnotherSegment(int segment, int segments) {
        return invalidStartKey(
                "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment."
                        + " TotalSegments: "
                        + segments
                        + " Segment: "
                        + segment);
    }

    public static ApiException invalidStartKey(String reason) {
        return ApiException.validation(START_KEY + ": " + reason);
    }

    /** Of a table that has one item a partition at most. */
    public static ApiException startKeyWithoutSort(Item startKey) {
        return ApiException.validation(
                startKey.attributes().entrySet().stream()
                        .map(
                                attribute ->
                                        attribute.getKey()
                                                + "=AttributeValue: "
                                                + ExpressionMessages.shown(attribute.getValue()))
                        .collect(
                                Collectors.joining(
                                        ", ",
                                        "The provided exclusive start key is invalid:"
                                                + " ExclusiveStartKey: {",
                                        "}")));
    }

    public static ApiException legacyFilterOnKey(String parameter, String attribute) {
        return ApiException.validation(
                parameter
                        + " can only contain non-primary key attributes: Primary key attribute: "
                        + attribute);
    }

    public static ApiException projectionWithSelect(String parameter, String select) {
        return ApiException.validation(
                "Cannot specify the "
                        + parameter
                        + " when choosing to get "
                        + (select.equals("COUNT") ? "only the Count" : select));
    }

    public static ApiException allAttributesOfGlobalIndex(String index) {
        return ApiException.validation(
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not"
                        + " supported for global secondary index "
                        + index
                        + " because its projection type is not ALL");
    }

    public static ApiException notProjected(String index, Collection<String> attributes) {
        return ApiException.validation(
                "One or more parameter values were invalid: Global secondary index "
                        + index
                        + " does not project ["
                        + String.join(", ", attributes)
                        + "]");
    }

    public static ApiException duplicateAttribute(String name) {
        return ApiException.validation(
                "One or more parameter values were invalid: Duplicate value in attribute name: "
                        + name);
    }

    public static ApiException segmentTooHigh(int segment, int total) {
        return ApiException.validation(
                "The Segment parameter is zero-based and must be less than parameter TotalSegments:"
                        + " Segment: "
                        + segment
                        + " is not less than TotalSegments: "
                        + total);
    }
}
