package dev.tidemark.query.expiry;

import dev.tidemark.model.table.TableId;

/** Is told of items that were removed because their time to live was over. */
@FunctionalInterface
public interface ExpiryListener {

    /** Takes note of one item; must not block or fail. */
    void expired(TableId table);
}
