package dev.tidemark.model.index;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.Projection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Translates changes of a table into writes of one index, local or global.
 *
 * <p>An item that lacks an index key attribute, or whose value does not suit it, has no entry. An
 * unchanged entry produces no write. Applying the writes of one change twice leaves the index as
 * applying them once. Stateless, thread-safe.
 */
public final class IndexMaintenance {

    private final KeySchema indexKey;
    private final Projection projection;
    private final Set<String> keyNames;

    public IndexMaintenance(KeySchema tableKey, KeySchema indexKey, Projection projection) {
        this.indexKey = indexKey;
        this.projection = projection;
        this.keyNames = new LinkedHashSet<>(tableKey.names());
        this.keyNames.addAll(indexKey.names());
    }

    /**
     * Returns the writes that carry a change of the item with {@code tableKey} into the index,
     * deletes first.
     */
    public List<IndexWrite> writesFor(
            PrimaryKey tableKey, Optional<Item> before, Optional<Item> after) {
        return changeFor(tableKey, before, after).writes();
    }

    /** Returns the writes that carry a change into the index, deletes first. */
    public List<IndexWrite> writesFor(ChangeRecord change) {
        EntryChange entry = changeFor(change.key(), change.before(), change.after());
        return change.origin().cause() == ChangeCause.REPAIR ? entry.repairs() : entry.writes();
    }

    /** Returns what a change of the item with {@code tableKey} makes of its entry. */
    public EntryChange changeFor(PrimaryKey tableKey, Optional<Item> before, Optional<Item> after) {
        return new EntryChange(
                before.flatMap(item -> entryFor(tableKey, item)),
                after.flatMap(item -> entryFor(tableKey, item)));
    }

    /** Returns the entry of an item, or empty if the index has none for it. */
    public Optional<IndexEntry> entryFor(PrimaryKey tableKey, Item item) {
        return indexKey.keyOf(item)
                .map(key -> new IndexEntry(key, tableKey, projection.apply(item, keyNames)));
    }
}
