/**
 * Comparing a global index with its table, and mending it through the log; not how either is kept.
 */
@NullMarked
package dev.tidemark.query.verify;

import org.jspecify.annotations.NullMarked;
