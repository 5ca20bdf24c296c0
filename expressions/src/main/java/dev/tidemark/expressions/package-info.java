/**
 * DynamoDB expressions: their grammar, the typed tree, and what evaluating one against an item
 * yields.
 *
 * <p>No request parsing, no storage and no wire names belong here.
 */
@NullMarked
package dev.tidemark.expressions;

import org.jspecify.annotations.NullMarked;
