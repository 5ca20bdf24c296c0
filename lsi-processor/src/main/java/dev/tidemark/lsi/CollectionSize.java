package dev.tidemark.lsi;

import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The sizes of item collections, beside the entries of local indexes: of all items with one
 * partition key and their entries, the bytes by DynamoDB's arithmetic. They count what is in the
 * stores, and so follow from the log alone.
 *
 * <p>The stored form is a version byte, then a long. An empty collection has none.
 */
public final class CollectionSize {

    private static final byte VERSION = 1;
    private static final int LENGTH = 1 + Long.BYTES;

    private CollectionSize() {}

    /** Returns the bytes of the collection of the item with {@code key}. */
    public static long read(ReadOnlyKeyValueStore<Bytes, byte[]> entries, PrimaryKey key) {
        byte[] stored = entries.get(storageKey(key));
        if (stored == null) {
            return 0;
        }
        if (stored.length != LENGTH || stored[0] != VERSION) {
            throw new IllegalStateException("Size of an item collection is of an unknown form");
        }
        return ByteBuffer.wrap(stored, 1, Long.BYTES).getLong();
    }

    static void write(KeyValueStore<Bytes, byte[]> entries, PrimaryKey key, long size) {
        if (size == 0) {
            entries.delete(storageKey(key));
        } else {
            entries.put(
                    storageKey(key),
                    ByteBuffer.allocate(LENGTH).put(VERSION).putLong(size).array());
        }
    }

    private static Bytes storageKey(PrimaryKey key) {
        return Bytes.wrap(StorageKeys.collection(key.partition()));
    }
}
