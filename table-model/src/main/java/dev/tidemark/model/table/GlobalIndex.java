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
 * @param capacity what is said of its capacity beside its throughput
 */
public record GlobalIndex(
        IndexName name,
        int generation,
        KeySchema key,
        Projection projection,
        Throughput throughput,
        IndexStatus status,
        CapacityOptions capacity) {

    public GlobalIndex {
        if (generation < 1) {
            throw new IllegalArgumentException("Invalid generation: " + generation);
        }
    }

    /** Makes an index of whose capacity nothing more is said. */
    public GlobalIndex(
            IndexName name,
            int generation,
            KeySchema key,
            Projection projection,
            Throughput throughput,
            IndexStatus status) {
        this(name, generation, key, projection, throughput, status, CapacityOptions.NONE);
    }

    public GlobalIndex withStatus(IndexStatus next) {
        return new GlobalIndex(name, generation, key, projection, throughput, next, capacity);
    }

    public GlobalIndex withThroughput(Throughput next) {
        return new GlobalIndex(name, generation, key, projection, next, status, capacity);
    }

    public GlobalIndex withCapacity(CapacityOptions next) {
        return new GlobalIndex(name, generation, key, projection, throughput, status, next);
    }
}
