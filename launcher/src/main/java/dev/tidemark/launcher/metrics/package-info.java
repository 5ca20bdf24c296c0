/** What operators measure a node by; not what is measured. */
@NullMarked
package dev.tidemark.launcher.metrics;

import org.jspecify.annotations.NullMarked;
