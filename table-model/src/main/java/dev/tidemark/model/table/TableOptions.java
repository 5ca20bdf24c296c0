package dev.tidemark.model.table;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a table has besides its keys and indexes, and what most tables leave as it is.
 *
 * @param timeToLive whether and how its items expire
 * @param itemCollectionLimit the most bytes that the items with one partition key and their entries
 *     in local indexes may take together; fixed when the table is made, so that what becomes of a
 *     write follows from the log and the definition alone
 * @param capacity what is said of its capacity beside its throughput
 * @param onDemandSince when it was last made to be billed on demand, if ever
 * @param tableClass the class it was given, if any
 * @param tableClassChangedAt when that was changed, if ever
 * @param spares generations of global indexes that do not serve: at most one next and one previous
 *     of each name
 */
public record TableOptions(
        TimeToLive timeToLive,
        long itemCollectionLimit,
        CapacityOptions capacity,
        Optional<Instant> onDemandSince,
        Optional<TableClass> tableClass,
        Optional<Instant> tableClassChangedAt,
        List<SpareGeneration> spares) {

    /** The limit of an item collection: 10 GB. Source: the DynamoDB Developer Guide. */
    public static final long DEFAULT_ITEM_COLLECTION_LIMIT = 10L << 30;

    public static final TableOptions DEFAULT =
            new TableOptions(
                    TimeToLive.NEVER,
                    DEFAULT_ITEM_COLLECTION_LIMIT,
                    CapacityOptions.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());

    public TableOptions {
        spares = List.copyOf(spares);
        if (itemCollectionLimit < 1) {
            throw new IllegalArgumentException("Invalid item collection limit: not positive");
        }
    }

    public TableOptions withTimeToLive(TimeToLive next) {
        return new TableOptions(
                next,
                itemCollectionLimit,
                capacity,
                onDemandSince,
                tableClass,
                tableClassChangedAt,
                spares);
    }

    public TableOptions withItemCollectionLimit(long bytes) {
        return new TableOptions(
                timeToLive,
                bytes,
                capacity,
                onDemandSince,
                tableClass,
                tableClassChangedAt,
                spares);
    }

    public TableOptions withCapacity(CapacityOptions next) {
        return new TableOptions(
                timeToLive,
                itemCollectionLimit,
                next,
                onDemandSince,
                tableClass,
                tableClassChangedAt,
                spares);
    }

    public TableOptions withOnDemandSince(Instant moment) {
        return new TableOptions(
                timeToLive,
                itemCollectionLimit,
                capacity,
                Optional.of(moment),
                tableClass,
                tableClassChangedAt,
                spares);
    }

    /** Returns this with the class it is made with. */
    public TableOptions withTableClass(Optional<TableClass> given) {
        return new TableOptions(
                timeToLive,
                itemCollectionLimit,
                capacity,
                onDemandSince,
                given,
                tableClassChangedAt,
                spares);
    }

    /** Returns this with a class it gets later. */
    public TableOptions withTableClass(TableClass next, Instant moment) {
        return new TableOptions(
                timeToLive,
                itemCollectionLimit,
                capacity,
                onDemandSince,
                Optional.of(next),
                Optional.of(moment),
                spares);
    }

    public TableOptions withSpares(List<SpareGeneration> next) {
        return new TableOptions(
                timeToLive,
                itemCollectionLimit,
                capacity,
                onDemandSince,
                tableClass,
                tableClassChangedAt,
                next);
    }
}
