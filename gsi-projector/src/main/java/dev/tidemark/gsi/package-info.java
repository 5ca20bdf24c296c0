/**
 * Global secondary indexes: projects changes, materializes entries with their tidemarks, and
 * backfills by replay.
 *
 * <p>Nothing here writes a table's items or answers a request.
 */
@NullMarked
package dev.tidemark.gsi;

import org.jspecify.annotations.NullMarked;
