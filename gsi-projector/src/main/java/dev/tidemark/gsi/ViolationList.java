package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ProjectedChange;
import dev.tidemark.gsi.projection.ViolationRecord;
import dev.tidemark.model.change.ChangeRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The items of one partition of a table that have an index's key attributes and yet no place in the
 * index, as the last change read has left them. Not thread-safe.
 */
final class ViolationList {

    /*
     * Repeats: whether an item is listed, and what is said of it, follows from its last change alone.
     * So it does not matter how often changes come, as long as an old one is not applied after a newer
     * one. While a task runs, those that come again are known by their sequence. A task that has just
     * started applies all it reads: what its predecessor wrote may be in Kafka in part only, even if the
     * row that counts changes is there.
     *
     * Size: counted in the store, once, when the task starts. A number that was kept beside the store
     * could differ from it after a crash, and says nothing right of a history that compaction shortened.
     */

    private final KeyValueStore<Bytes, byte[]> store;
    private final ViolationRecord record;
    private long applied;
    private long size;

    /** Makes the list of what is in {@code store}. */
    ViolationList(KeyValueStore<Bytes, byte[]> store, ViolationRecord record) {
        this.store = store;
        this.record = record;
        try (KeyValueIterator<Bytes, byte[]> listed = store.all()) {
            while (listed.hasNext()) {
                listed.next();
                size++;
            }
        }
    }

    /** Returns how many items are listed. */
    long size() {
        return size;
    }

    /**
     * Lists the changed item, or takes it from the list; returns whether the change is the first of
     * its sequence here.
     */
    boolean apply(ChangeRecord change, ProjectedChange projected) {
        long sequence = change.origin().position().sequence();
        if (sequence <= applied) {
            return false;
        }
        applied = sequence;
        if (projected.after().isPresent() || projected.before().isPresent()) {
            write(change, projected);
        }
        return true;
    }

    private void write(ChangeRecord change, ProjectedChange projected) {
        Bytes key = Bytes.wrap(ViolationRecord.key(change));
        boolean wasListed = store.get(key) != null;
        if (projected.after().isPresent()) {
            store.put(key, record.text(change, projected.after().get()));
            size += wasListed ? 0 : 1;
        } else if (wasListed) {
            store.delete(key);
            size--;
        }
    }
}
