/** The changes a table emits; not who consumes them. */
@NullMarked
package dev.tidemark.model.change;

import org.jspecify.annotations.NullMarked;
