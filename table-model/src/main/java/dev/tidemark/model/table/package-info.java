/**
 * Tables and their indexes as defined by their owner, and the names derived from them; not their
 * data.
 */
@NullMarked
package dev.tidemark.model.table;

import org.jspecify.annotations.NullMarked;
