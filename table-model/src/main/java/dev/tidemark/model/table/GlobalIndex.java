package dev.tidemark.model.table;

import dev.tidemark.model.key.KeySchema;

/**
 * A global secondary index, one generation of it.
 *
 * @param name unique within the table
 * @param generation 1 for the first index of this name; a rebuilt or re-created one is higher
 * @param key 1 to 4 partition and 0 to 4 sort attributes
 * @param projection what its entries carry
 * @param throughput its provisioned capacity
 * @param status where it is in its life
 */
public record GlobalIndex(
        IndexName name,
        int generation,
        KeySchema key,
        Projection projection,
        Throughput throughput,
        IndexStatus status) {

    public GlobalIndex {
        if (generation < 1) {
            throw new IllegalArgumentException("Invalid generation: " + generation);
        }
    }

    public GlobalIndex withStatus(IndexStatus next) {
        return new GlobalIndex(name, generation, key, projection, throughput, next);
    }
}
