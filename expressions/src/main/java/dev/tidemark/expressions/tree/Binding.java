package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.write.Placeholders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checks an expression must pass once it is known what its placeholders stand for.
 *
 * @param kind where the expression stands
 * @param placeholders all it uses are defined
 */
public record Binding(ExpressionKind kind, Placeholders placeholders) {

    static final Set<AttributeType> ORDERED =
            Set.of(AttributeType.S, AttributeType.N, AttributeType.B);
    static final Set<AttributeType> WITH_PREFIX = Set.of(AttributeType.S, AttributeType.B);
    static final Set<AttributeType> SIZED =
            Set.of(
                    AttributeType.S,
                    AttributeType.B,
                    AttributeType.L,
                    AttributeType.M,
                    AttributeType.SS,
                    AttributeType.NS,
                    AttributeType.BS);
    static final Set<AttributeType> NUMBER = Set.of(AttributeType.N);
    static final Set<AttributeType> LIST = Set.of(AttributeType.L);

    /** Refuses an operand known to be of another type; one read from the item passes. */
    void requireType(String operator, Operand operand, Set<AttributeType> allowed) {
        AttributeType type = operand.constantType(placeholders);
        if (type != null && !allowed.contains(type)) {
            throw kind.invalid(ExpressionMessages.OPERAND_TYPE, operator, type);
        }
    }

    void requireDistinct(String operator, Operand first, Operand other) {
        if (first instanceof Operand.Path one && other instanceof Operand.Path two) {
            DocumentPath path = one.path().resolve(placeholders);
            if (path.equals(two.path().resolve(placeholders))) {
                throw kind.invalid(ExpressionMessages.NOT_DISTINCT, operator, path.shown());
            }
        }
    }

    @Nullable AttributeValue constant(Operand operand) {
        return operand instanceof Operand.Value value ? value.constant(placeholders) : null;
    }
}
