/**
 * Reading many items by a condition, a page at a time: Query and Scan of tables and indexes; not
 * how a store is read.
 */
@NullMarked
package dev.tidemark.query.page;

import org.jspecify.annotations.NullMarked;
