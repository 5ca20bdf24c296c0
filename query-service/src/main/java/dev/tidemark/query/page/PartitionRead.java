package dev.tidemark.query.page;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.query.ItemOutput;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import java.util.Optional;

/**
 * A request to read entries of one partition.
 *
 * @param source the table or index
 * @param partition which partition of it
 * @param span which entries
 * @param direction in which order
 * @param limit how many entries to look at, at most
 * @param budget how many bytes to read; the entry that exceeds it is the last
 * @param filter which of the entries to show
 * @param output what of them to show; empty counts only
 * @param fetching what the items of a local index's entries are fetched from the table for
 */
record PartitionRead(
        Source source,
        int partition,
        KeySpan span,
        PartitionStores.Direction direction,
        int limit,
        long budget,
        Optional<BoundCondition> filter,
        Optional<ItemOutput> output,
        Fetching fetching) {

    /** What items are fetched for that have more than the entries read. */
    enum Fetching {
        NOTHING,
        /** The filter looks at the item; what is shown is the entry. */
        FILTER,
        /** The filter looks at the item, and the item is shown. */
        FILTER_AND_OUTPUT
    }

    /** The most bytes of a page. Source: DynamoDB limits. */
    static final long PAGE_BYTES = 1 << 20;

    static final int NO_LIMIT = Integer.MAX_VALUE;
}
