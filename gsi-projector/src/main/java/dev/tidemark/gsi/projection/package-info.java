/**
 * What one change does to each partition of an index, in what order changes must come, and when a
 * mark is due: pure, no Kafka. Nothing here touches a store.
 */
@NullMarked
package dev.tidemark.gsi.projection;

import org.jspecify.annotations.NullMarked;
