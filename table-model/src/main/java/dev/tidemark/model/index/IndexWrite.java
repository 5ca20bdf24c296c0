package dev.tidemark.model.index;

import dev.tidemark.model.key.PrimaryKey;

/** One effect of a change on an index. */
public sealed interface IndexWrite {

    PrimaryKey indexKey();

    PrimaryKey tableKey();

    /** Adds an entry or replaces the one with the same keys. */
    record Put(IndexEntry entry) implements IndexWrite {
        @Override
        public PrimaryKey indexKey() {
            return entry.indexKey();
        }

        @Override
        public PrimaryKey tableKey() {
            return entry.tableKey();
        }
    }

    /** Removes the entry with these keys. */
    record Delete(PrimaryKey indexKey, PrimaryKey tableKey) implements IndexWrite {}
}
