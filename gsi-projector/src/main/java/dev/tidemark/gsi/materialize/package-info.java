/**
 * Carries updates into one partition of an index, with its tidemarks: pure, no Kafka. Nothing here
 * knows where updates come from.
 */
@NullMarked
package dev.tidemark.gsi.materialize;

import org.jspecify.annotations.NullMarked;
