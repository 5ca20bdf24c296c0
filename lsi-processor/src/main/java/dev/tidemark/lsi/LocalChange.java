package dev.tidemark.lsi;

import dev.tidemark.model.key.PrimaryKey;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What a change of an item does to the {@link LocalIndexStore}.
 *
 * @param key the item's key
 * @param writes the entries to write, in order; one without a value is a delete. An index whose
 *     entry stays the same has none
 * @param collectionSize the bytes of the item's collection from here on
 * @param growth by how much that is more than before
 */
public record LocalChange(
        PrimaryKey key,
        List<KeyValue<Bytes, byte @Nullable []>> writes,
        long collectionSize,
        long growth) {

    /** Writes the change into the store. */
    public void applyTo(KeyValueStore<Bytes, byte[]> entries) {
        entries.putAll(writes);
        if (growth != 0) {
            CollectionSize.write(entries, key, collectionSize);
        }
    }
}
