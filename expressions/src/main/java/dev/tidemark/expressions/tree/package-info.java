/**
 * The typed trees of expressions, what each node yields for an item, and the texts of what can be
 * wrong with one; not how they are read from text.
 */
@NullMarked
package dev.tidemark.expressions.tree;

import org.jspecify.annotations.NullMarked;
