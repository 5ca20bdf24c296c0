package dev.tidemark.query.pressure;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.IndexName;

/**
 * An index that trails its table by more than its bound.
 *
 * @param index the index
 * @param lag how far it trailed when it was looked at
 * @param throttles whether writes of the table are held back for it
 */
public record LateIndex(IndexName index, IndexLag lag, boolean throttles) {}
