package dev.tidemark.query.table;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;

/** How much tables and indexes hold, about. Thread-safe; never blocks. */
public interface TableStatistics {

    /** Knows nothing: everything is empty. */
    TableStatistics NONE =
            new TableStatistics() {
                @Override
                public Size table(TableDefinition table) {
                    return Size.EMPTY;
                }

                @Override
                public Size index(TableDefinition table, IndexName index) {
                    return Size.EMPTY;
                }
            };

    /**
     * How much something holds.
     *
     * @param items the number of items or entries
     * @param bytes their size together
     */
    record Size(long items, long bytes) {

        public static final Size EMPTY = new Size(0, 0);
    }

    Size table(TableDefinition table);

    /** Returns the size of a local or global index. */
    Size index(TableDefinition table, IndexName index);
}
