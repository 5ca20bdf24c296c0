/** One node: its parts, in the order they start and stop; not what they do. */
@NullMarked
package dev.tidemark.launcher.node;

import org.jspecify.annotations.NullMarked;
