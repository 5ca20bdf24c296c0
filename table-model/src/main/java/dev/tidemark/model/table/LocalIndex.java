package dev.tidemark.model.table;

import dev.tidemark.model.key.KeySchema;

/**
 * A local secondary index: the table's partition key with another sort key.
 *
 * @param name unique within the table
 * @param id the first byte of its storage keys, 1 to 5
 * @param key the table's partition attribute and the index's sort attribute
 * @param projection what its entries carry
 */
public record LocalIndex(IndexName name, int id, KeySchema key, Projection projection) {

    public LocalIndex {
        if (id < 1 || id > 127) {
            throw new IllegalArgumentException("Invalid local index id: " + id);
        }
    }
}
