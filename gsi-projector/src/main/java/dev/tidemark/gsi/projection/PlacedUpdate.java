package dev.tidemark.gsi.projection;

import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.Binary;

/**
 * An update and where it belongs.
 *
 * @param partition the partition of the index
 * @param recordKey canonical bytes of the index partition key, which {@link
 *     dev.tidemark.model.key.Partitioning} places in {@code partition}; of the put if there is one
 * @param update what to do there
 */
public record PlacedUpdate(int partition, Binary recordKey, IndexUpdate update) {}
