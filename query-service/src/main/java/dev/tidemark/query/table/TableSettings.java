package dev.tidemark.query.table;

/**
 * What the operations on tables need to know of the node.
 *
 * @param region the region that ARNs name
 * @param defaultPartitions the partitions of a table whose owner asks for no number
 * @param itemCollectionLimit the most bytes of an item collection of a new table
 */
public record TableSettings(String region, int defaultPartitions, long itemCollectionLimit) {

    public TableSettings {
        if (region.isEmpty()) {
            throw new IllegalArgumentException("Invalid region: empty");
        }
        if (defaultPartitions < 1) {
            throw new IllegalArgumentException("Invalid default partitions: none");
        }
    }
}
