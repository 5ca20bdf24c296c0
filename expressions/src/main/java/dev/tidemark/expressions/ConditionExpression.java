package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.Binding;
import dev.tidemark.expressions.tree.Condition;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.Uses;
import dev.tidemark.model.write.Placeholders;

/**
 * A condition or filter expression as written: what its placeholders stand for is not yet known.
 * Immutable and thread-safe.
 */
public final class ConditionExpression implements Expression {

    /** Which parameter of a request the expression comes from. */
    public enum Kind {
        CONDITION(ExpressionKind.CONDITION),
        FILTER(ExpressionKind.FILTER);

        private final ExpressionKind kind;

        Kind(ExpressionKind kind) {
            this.kind = kind;
        }
    }

    // a text is one thing as a condition, another as a filter, and may be too long for a request
    private static final ParsedCache<ConditionExpression> CONDITIONS = new ParsedCache<>();
    private static final ParsedCache<ConditionExpression> FILTERS = new ParsedCache<>();
    private static final ParsedCache<ConditionExpression> LOGGED_CONDITIONS = new ParsedCache<>();
    private static final ParsedCache<ConditionExpression> LOGGED_FILTERS = new ParsedCache<>();

    private final ExpressionKind kind;
    private final Condition condition;
    private final Uses uses = new Uses();

    private ConditionExpression(ExpressionKind kind, Condition condition) {
        this.kind = kind;
        this.condition = condition;
        condition.collect(uses);
    }

    /**
     * Returns the expression that a request's {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static ConditionExpression parse(String text, Kind kind) {
        return parse(text, kind, ExpressionLimits.OF_A_REQUEST);
    }

    /**
     * Returns the expression that {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static ConditionExpression parse(String text, Kind kind, ExpressionLimits limits) {
        return cache(kind, limits).get(text, unseen -> read(unseen, kind, limits));
    }

    private static ParsedCache<ConditionExpression> cache(Kind kind, ExpressionLimits limits) {
        if (limits == ExpressionLimits.OF_THE_LOG) {
            return kind == Kind.FILTER ? LOGGED_FILTERS : LOGGED_CONDITIONS;
        }
        return kind == Kind.FILTER ? FILTERS : CONDITIONS;
    }

    private static ConditionExpression read(String text, Kind kind, ExpressionLimits limits) {
        return new ConditionExpression(
                kind.kind, new TreeBuilder(kind.kind, text, limits).condition());
    }

    /** Returns the typed tree. */
    public Condition condition() {
        return condition;
    }

    @Override
    public Uses uses() {
        return uses;
    }

    /**
     * Returns the condition with its placeholders filled in.
     *
     * @throws dev.tidemark.model.error.ApiException if one is undefined, or a constant is of a type
     *     its operator does not take
     */
    public BoundCondition bind(Placeholders placeholders) {
        uses.requireDefined(kind, placeholders);
        condition.check(new Binding(kind, placeholders));
        return new BoundCondition(condition, uses, placeholders);
    }

    /** Returns a text that parses to the same condition. */
    @Override
    public String toString() {
        return condition.toString();
    }
}
