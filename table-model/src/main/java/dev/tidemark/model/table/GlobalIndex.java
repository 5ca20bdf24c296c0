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
 * @param build how it is filled with what its table held already
 */
public record GlobalIndex(
        IndexName name,
        int generation,
        KeySchema key,
        Projection projection,
        Throughput throughput,
        IndexStatus status,
        CapacityOptions capacity,
        IndexBuild build) {

    public GlobalIndex {
        if (generation < 1) {
            throw new IllegalArgumentException("Invalid generation: " + generation);
        }
    }

    /** Makes an index that is made with its table. */
    public GlobalIndex(
            IndexName name,
            int generation,
            KeySchema key,
            Projection projection,
            Throughput throughput,
            IndexStatus status,
            CapacityOptions capacity) {
        this(name, generation, key, projection, throughput, status, capacity, IndexBuild.NONE);
    }

    /** Makes an index that is made with its table, of whose capacity nothing more is said. */
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
        return new GlobalIndex(
                name, generation, key, projection, throughput, next, capacity, build);
    }

    public GlobalIndex withThroughput(Throughput next) {
        return new GlobalIndex(name, generation, key, projection, next, status, capacity, build);
    }

    public GlobalIndex withCapacity(CapacityOptions next) {
        return new GlobalIndex(name, generation, key, projection, throughput, status, next, build);
    }

    public GlobalIndex withBuild(IndexBuild next) {
        return new GlobalIndex(
                name, generation, key, projection, throughput, status, capacity, next);
    }
}
