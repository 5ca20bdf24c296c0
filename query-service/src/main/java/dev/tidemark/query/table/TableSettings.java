package dev.tidemark.query.table;

/**
 * What the operations on tables need to know of the node.
 *
 * @param region the region that ARNs name
 * @param defaultPartitions the partitions of a table whose owner asks for no number
 * @param itemCollectionLimit the most bytes of an item collection of a new table
 * @param indexesAtOnce how many global indexes of a table may be made or removed at once
 */
public record TableSettings(
        String region, int defaultPartitions, long itemCollectionLimit, int indexesAtOnce) {

    public TableSettings {
        if (region.isEmpty()) {
            throw new IllegalArgumentException("Invalid region: empty");
        }
        if (defaultPartitions < 1) {
            throw new IllegalArgumentException("Invalid default partitions: none");
        }
        if (indexesAtOnce < 1) {
            throw new IllegalArgumentException("Invalid number of indexes at once: none");
        }
    }
}
