/** Holding writes back while an index can't keep up with them; not how far it trails. */
@NullMarked
package dev.tidemark.query.pressure;

import org.jspecify.annotations.NullMarked;
