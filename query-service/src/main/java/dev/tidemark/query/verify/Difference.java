package dev.tidemark.query.verify;

import dev.tidemark.model.item.Item;
import java.util.Optional;

/**
 * One entry of an index that is not as it should be.
 *
 * @param kind how it is not
 * @param partition the partition of the table whose item it stands for
 * @param key the key of that item; empty if the entry does not tell
 * @param indexKey the key attributes of the entry; empty if it can't be read
 * @param mendable whether the log can mend it; if not, only a new generation of the index can
 */
record Difference(
        Kind kind, int partition, Optional<Item> key, Optional<Item> indexKey, boolean mendable) {

    /** How an entry is not as it should be. */
    enum Kind {
        /** The item should have an entry, and there is none. */
        MISSING,
        /** There is an entry, and no item should have it. */
        DANGLING,
        /** The entry does not carry what the item has. */
        DIFFERENT
    }
}
