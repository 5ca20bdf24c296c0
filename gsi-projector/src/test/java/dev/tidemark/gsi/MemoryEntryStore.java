package dev.tidemark.gsi;

import dev.tidemark.gsi.materialize.EntryStore;
import dev.tidemark.gsi.materialize.EntryWrite;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.wire.ItemCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store of index entries in memory. */
public final class MemoryEntryStore implements EntryStore {

    private final Map<Binary, byte[]> rows = new HashMap<>();

    @Override
    public byte @Nullable [] get(byte[] key) {
        return rows.get(Binary.wrap(key));
    }

    @Override
    public void putAll(List<EntryWrite> writes) {
        writes.forEach(this::put);
    }

    public void put(EntryWrite write) {
        byte[] value = write.value();
        if (value == null) {
            rows.remove(Binary.wrap(write.key()));
        } else {
            rows.put(Binary.wrap(write.key()), value);
        }
    }

    /** Returns the entries by their storage keys, without the store's own data. */
    public Map<Binary, Item> entries() {
        Map<Binary, Item> entries = new HashMap<>();
        rows.forEach(
                (key, value) -> {
                    if (!StorageKeys.isMetadata(key.toByteArray())) {
                        entries.put(key, ItemCodec.decode(value));
                    }
                });
        return entries;
    }
}
