package dev.tidemark.model.table;

/**
 * What a table has besides its keys and indexes, and what most tables leave as it is.
 *
 * @param timeToLive whether and how its items expire
 * @param itemCollectionLimit the most bytes that the items with one partition key and their entries
 *     in local indexes may take together; fixed when the table is made, so that what becomes of a
 *     write follows from the log and the definition alone
 */
public record TableOptions(TimeToLive timeToLive, long itemCollectionLimit) {

    /** The limit of an item collection: 10 GB. Source: the DynamoDB Developer Guide. */
    public static final long DEFAULT_ITEM_COLLECTION_LIMIT = 10L << 30;

    public static final TableOptions DEFAULT =
            new TableOptions(TimeToLive.NEVER, DEFAULT_ITEM_COLLECTION_LIMIT);

    public TableOptions {
        if (itemCollectionLimit < 1) {
            throw new IllegalArgumentException("Invalid item collection limit: not positive");
        }
    }

    public TableOptions withTimeToLive(TimeToLive next) {
        return new TableOptions(next, itemCollectionLimit);
    }

    public TableOptions withItemCollectionLimit(long bytes) {
        return new TableOptions(timeToLive, bytes);
    }
}
