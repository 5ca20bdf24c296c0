/**
 * Applies a table's writes in log order: evaluates them, keeps the items, emits changes and tells
 * outcomes.
 *
 * <p>Nothing here reads a clock, answers HTTP or maintains a global index.
 */
@NullMarked
package dev.tidemark.base;

import org.jspecify.annotations.NullMarked;
