package dev.tidemark.query.read;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableId;

/** One partition of one store. */
public sealed interface StoreRef {

    int partition();

    /** The items of a table. */
    record Items(TableId table, int partition) implements StoreRef {}

    /** The entries of all local indexes of a table. */
    record LocalEntries(TableId table, int partition) implements StoreRef {}

    /** The entries of a global index. */
    record GlobalEntries(IndexId index, int partition) implements StoreRef {}

    /**
     * The items of one partition of a table that have a global index's key attributes and yet no
     * entry.
     */
    record Violations(IndexId index, int partition) implements StoreRef {}
}
