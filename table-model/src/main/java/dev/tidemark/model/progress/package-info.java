/** How far the tasks on this node have come, and waiting for it; not how they get there. */
@NullMarked
package dev.tidemark.model.progress;

import org.jspecify.annotations.NullMarked;
