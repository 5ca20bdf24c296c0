/** Commands that change items, and what became of them; not how a command is logged. */
@NullMarked
package dev.tidemark.model.write;

import org.jspecify.annotations.NullMarked;
