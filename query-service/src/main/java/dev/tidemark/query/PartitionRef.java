package dev.tidemark.query;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableId;

/**
 * One partition of a table, its local indexes included, or of a global index, or of the way from
 * the one to the other.
 */
public sealed interface PartitionRef {

    int partition();

    /** A partition of a table: its items, its local indexes, and where its writes are applied. */
    record OfTable(TableId table, int partition) implements PartitionRef {}

    /** A partition of one generation of a global index. */
    record OfIndex(IndexId index, int partition) implements PartitionRef {}

    /** Where the changes of one partition of a table are projected into a global index. */
    record OfProjection(IndexId index, int partition) implements PartitionRef {}
}
