/**
 * Local secondary indexes, kept inside the task and the transaction of their table's partition.
 *
 * <p>No topology and no application life cycle of its own belongs here.
 */
@NullMarked
package dev.tidemark.lsi;

import org.jspecify.annotations.NullMarked;
