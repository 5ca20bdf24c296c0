package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeType;

/** The types a key attribute may have. */
public enum KeyType {
    S(AttributeType.S),
    N(AttributeType.N),
    B(AttributeType.B);

    private final AttributeType attributeType;

    KeyType(AttributeType attributeType) {
        this.attributeType = attributeType;
    }

    public AttributeType attributeType() {
        return attributeType;
    }
}
