/**
 * Reading the stores of one partition, and knowing how fresh they are; not what a query makes of
 * it.
 */
@NullMarked
package dev.tidemark.query.read;

import org.jspecify.annotations.NullMarked;
