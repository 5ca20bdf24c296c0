package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeValue;
import org.jspecify.annotations.Nullable;

/** The operators that compare two operands. */
public enum Comparator {
    EQ("="),
    NE("<>"),
    LT("<"),
    LE("<="),
    GT(">"),
    GE(">=");

    private final String symbol;

    Comparator(String symbol) {
        this.symbol = symbol;
    }

    /** Returns the operator that {@code symbol} denotes. */
    public static Comparator of(String symbol) {
        for (Comparator comparator : values()) {
            if (comparator.symbol.equals(symbol)) {
                return comparator;
            }
        }
        throw new IllegalArgumentException("Invalid comparator: " + symbol);
    }

    /** Returns the operator that holds for (b, a) if and only if this one holds for (a, b). */
    public Comparator mirrored() {
        return switch (this) {
            case EQ -> EQ;
            case NE -> NE;
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
        };
    }

    public boolean isOrdering() {
        return this != EQ && this != NE;
    }

    /** Returns whether the comparison holds; null is the value of an operand that has none. */
    public boolean holds(@Nullable AttributeValue left, @Nullable AttributeValue right) {
        if (left == null || right == null) {
            return this == NE;
        }
        return switch (this) {
            case EQ -> left.equals(right);
            case NE -> !left.equals(right);
            case LT -> ValueOrder.comparable(left, right) && ValueOrder.compare(left, right) < 0;
            case LE -> ValueOrder.comparable(left, right) && ValueOrder.compare(left, right) <= 0;
            case GT -> ValueOrder.comparable(left, right) && ValueOrder.compare(left, right) > 0;
            case GE -> ValueOrder.comparable(left, right) && ValueOrder.compare(left, right) >= 0;
        };
    }

    /** Returns the symbol. */
    @Override
    public String toString() {
        return symbol;
    }
}
