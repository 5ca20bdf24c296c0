/** What an index holds and how a change alters it; not where it is stored. */
@NullMarked
package dev.tidemark.model.index;

import org.jspecify.annotations.NullMarked;
