package dev.tidemark.model.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a change of an item makes of its entry in one index.
 *
 * @param before the entry so far, if there is one
 * @param after the entry from here on, if there is one
 */
public record EntryChange(Optional<IndexEntry> before, Optional<IndexEntry> after) {

    /** Returns whether the index stays as it is. */
    public boolean isNone() {
        return before.equals(after);
    }

    /** Returns whether the entry is taken from one place and put in another. */
    public boolean isMove() {
        return before.isPresent()
                && after.isPresent()
                && !before.get().indexKey().equals(after.get().indexKey());
    }

    /** Returns the writes that carry the change into the index, deletes first. */
    public List<IndexWrite> writes() {
        return isNone() ? List.of() : repairs();
    }

    /**
     * Returns the writes that leave the entry as it should be from here on, whatever the index has
     * of it; deletes first.
     */
    public List<IndexWrite> repairs() {
        List<IndexWrite> writes = new ArrayList<>(2);
        before.filter(entry -> after.isEmpty() || isMove())
                .ifPresent(
                        entry ->
                                writes.add(
                                        new IndexWrite.Delete(entry.indexKey(), entry.tableKey())));
        after.ifPresent(entry -> writes.add(new IndexWrite.Put(entry)));
        return List.copyOf(writes);
    }

    /** Returns the size of the entry so far in bytes, 0 if there is none. */
    public int sizeBefore() {
        return size(before);
    }

    /** Returns the size of the entry from here on in bytes, 0 if there is none. */
    public int sizeAfter() {
        return size(after);
    }

    private static int size(Optional<IndexEntry> entry) {
        return entry.isPresent() ? entry.get().projected().size() : 0;
    }
}
