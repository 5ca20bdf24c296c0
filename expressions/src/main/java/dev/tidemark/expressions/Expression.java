package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.Uses;

/** An expression as written. */
public sealed interface Expression
        permits ConditionExpression,
                KeyConditionExpression,
                ProjectionExpression,
                UpdateExpression {

    /** Returns what the expression refers to; must not be changed. */
    Uses uses();
}
