package dev.tidemark.model.rules;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.table.IndexName;

/** What a caller is told when an item breaks a rule: DynamoDB's own words, in one place. */
final class RuleTexts {

    static final String KEY_SCHEMA_MISMATCH = "The provided key element does not match the schema";
    static final String EMPTY_NAME =
            "One or more parameter values were invalid: Empty attribute name";
    static final String NAME_TOO_LONG =
            "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes";
    static final String NESTED_TOO_DEEP =
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
    static final String ITEM_TOO_LARGE = "Item size has exceeded the maximum allowed size";
    static final String UPDATED_ITEM_TOO_LARGE =
            "Item size to update has exceeded the maximum allowed size";
    static final String PARTITION_KEY_TOO_LONG =
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
    static final String SORT_KEY_TOO_LONG =
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes";

    private RuleTexts() {}

    static String missingKey(KeyAttribute attribute) {
        return "One or more parameter values were invalid: Missing the key "
                + attribute.name()
                + " in the item";
    }

    static String keyType(KeyAttribute attribute, AttributeValue value) {
        return "One or more parameter values were invalid: Type mismatch for key "
                + attribute.name()
                + " expected: "
                + attribute.type()
                + " actual: "
                + value.type();
    }

    static String keyEmpty(KeyAttribute attribute, AttributeValue value) {
        return "One or more parameter values are not valid."
                + " The AttributeValue for a key attribute cannot contain an empty "
                + kind(value)
                + " value. Key: "
                + attribute.name();
    }

    static String indexKeyType(IndexName index, KeyAttribute attribute, AttributeValue value) {
        return "One or more parameter values were invalid: Type mismatch for Index Key "
                + attribute.name()
                + " Expected: "
                + attribute.type()
                + " Actual: "
                + value.type()
                + " IndexName: "
                + index;
    }

    static String indexKeyEmpty(IndexName index, KeyAttribute attribute, AttributeValue value) {
        return "One or more parameter values are not valid."
                + " A value specified for a secondary index key is not supported."
                + " The AttributeValue for a key attribute cannot contain an empty "
                + kind(value)
                + " value. IndexName: "
                + index
                + ", IndexKey: "
                + attribute.name();
    }

    static String indexKeyUpdatedToEmpty(AttributeValue value) {
        return "One or more parameter values are not valid."
                + " The update expression attempted to update a secondary index key"
                + " to a value that is not supported."
                + " The AttributeValue for a key attribute cannot contain an empty "
                + kind(value)
                + " value.";
    }

    private static String kind(AttributeValue value) {
        return value.type() == AttributeType.B ? "binary" : "string";
    }
}
