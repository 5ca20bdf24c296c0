package dev.tidemark.expressions.legacy;

import dev.tidemark.model.item.AttributeType;
import java.util.EnumSet;
import java.util.Set;

/** The operators of the parameters that compare an attribute with given values. */
public enum ComparisonOperator {
    EQ(1, 1, Operands.ANY),
    NE(1, 1, Operands.ANY),
    IN(1, Integer.MAX_VALUE, Operands.SCALAR),
    LE(1, 1, Operands.ORDERED),
    LT(1, 1, Operands.ORDERED),
    GE(1, 1, Operands.ORDERED),
    GT(1, 1, Operands.ORDERED),
    BETWEEN(2, 2, Operands.ORDERED),
    NOT_NULL(0, 0, Operands.ANY),
    NULL(0, 0, Operands.ANY),
    CONTAINS(1, 1, Operands.MEMBER),
    NOT_CONTAINS(1, 1, Operands.MEMBER),
    BEGINS_WITH(1, 1, Operands.WITH_PREFIX);

    private final int fewest;
    private final int most;
    private final Operands operands;

    ComparisonOperator(int fewest, int most, Operands operands) {
        this.fewest = fewest;
        this.most = most;
        this.operands = operands;
    }

    /** Returns whether the operator can be given that many values. */
    public boolean takes(int values) {
        return values >= fewest && values <= most;
    }

    boolean takes(AttributeType type) {
        return operands.types().contains(type);
    }

    private enum Operands {
        ANY,
        ORDERED,
        SCALAR,
        MEMBER,
        WITH_PREFIX;

        Set<AttributeType> types() {
            return switch (this) {
                case ANY -> EnumSet.allOf(AttributeType.class);
                case ORDERED, SCALAR ->
                        EnumSet.of(AttributeType.S, AttributeType.N, AttributeType.B);
                case MEMBER ->
                        EnumSet.of(
                                AttributeType.S,
                                AttributeType.N,
                                AttributeType.B,
                                AttributeType.BOOL,
                                AttributeType.NULL);
                case WITH_PREFIX -> EnumSet.of(AttributeType.S, AttributeType.B);
            };
        }
    }
}
