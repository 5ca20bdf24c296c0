package dev.tidemark.model.item;

/** The types of attribute values, named as DynamoDB names them. */
public enum AttributeType {
    S,
    N,
    B,
    BOOL,
    NULL,
    L,
    M,
    SS,
    NS,
    BS
}
