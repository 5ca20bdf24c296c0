package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The relations between two values that expressions know. */
public enum Relation {
    EQ("="),
    NE("<>"),
    LT("<"),
    LE("<="),
    GT(">"),
    GE(">=");

    private final String symbol;

    Relation(String symbol) {
        this.symbol = symbol;
    }

    /** Returns the relation that holds for (b, a) where this one holds for (a, b). */
    public Relation turned() {
        return switch (this) {
            case EQ, NE -> this;
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
        };
    }

    public String symbol() {
        return symbol;
    }

    public boolean isOrder() {
        return this != EQ && this != NE;
    }

    /** Returns whether the relation holds; nothing is related to what is missing but by NE. */
    public boolean holdsFor(Optional<AttributeValue> left, Optional<AttributeValue> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return this == NE;
        }
        return holdsFor(left.get(), right.get());
    }

    /** Returns whether the relation holds; values of different types have no order. */
    public boolean holdsFor(AttributeValue left, AttributeValue right) {
        if (!isOrder()) {
            return left.equals(right) == (this == EQ);
        }
        if (left.type() != right.type() || !hasOrder(left)) {
            return false;
        }
        int order = compare(left, right);
        return switch (this) {
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case EQ, NE -> throw new IllegalStateException("Not of order");
        };
    }

    private static boolean hasOrder(AttributeValue value) {
        return value instanceof AttributeValue.S
                || value instanceof AttributeValue.N
                || value instanceof AttributeValue.B;
    }

    /** Compares two strings by their UTF-8, two numbers, or two binaries as unsigned bytes. */
    public static int compare(AttributeValue left, AttributeValue right) {
        if (left instanceof AttributeValue.N l && right instanceof AttributeValue.N r) {
            return new BigDecimal(l.value().text()).compareTo(new BigDecimal(r.value().text()));
        }
        return Arrays.compareUnsigned(bytes(left), bytes(right));
    }

    /** Returns whether a string or binary begins with another. */
    public static boolean beginsWith(AttributeValue value, AttributeValue start) {
        if (value.type() != start.type() || value instanceof AttributeValue.N || !hasOrder(value)) {
            return false;
        }
        byte[] whole = bytes(value);
        byte[] part = bytes(start);
        return part.length <= whole.length
                && Arrays.equals(whole, 0, part.length, part, 0, part.length);
    }

    private static byte[] bytes(AttributeValue value) {
        if (value instanceof AttributeValue.S string) {
            return string.value().getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof AttributeValue.B binary) {
            return binary.value().toByteArray();
        }
        throw new IllegalArgumentException("Invalid comparison: values without an order");
    }
}
