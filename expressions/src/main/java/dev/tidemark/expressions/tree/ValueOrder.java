package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Utf8;

/** The order of strings, numbers and binaries; values of other types have none. */
public final class ValueOrder {

    private ValueOrder() {}

    /** Returns whether the values are of one type, and one that has an order. */
    public static boolean comparable(AttributeValue left, AttributeValue right) {
        AttributeType type = left.type();
        return type == right.type() && Binding.ORDERED.contains(type);
    }

    /** Compares two values that are {@link #comparable}. */
    public static int compare(AttributeValue left, AttributeValue right) {
        if (left instanceof AttributeValue.S l && right instanceof AttributeValue.S r) {
            return Utf8.ORDER.compare(l.value(), r.value());
        }
        if (left instanceof AttributeValue.N l && right instanceof AttributeValue.N r) {
            return l.value().compareTo(r.value());
        }
        if (left instanceof AttributeValue.B l && right instanceof AttributeValue.B r) {
            return l.value().compareTo(r.value());
        }
        throw new IllegalArgumentException("Invalid comparison: values without an order");
    }

    /** Returns whether {@code value} begins with {@code prefix}, both strings or both binaries. */
    public static boolean beginsWith(AttributeValue value, AttributeValue prefix) {
        if (value instanceof AttributeValue.S whole && prefix instanceof AttributeValue.S part) {
            return whole.value().startsWith(part.value());
        }
        return value instanceof AttributeValue.B whole
                && prefix instanceof AttributeValue.B part
                && whole.value().startsWith(part.value());
    }
}
