package dev.tidemark.base.process;

import dev.tidemark.base.CorruptStateException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.Write.DefineIndexKeys;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WireFormatException;
import dev.tidemark.wire.WriteCodec;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The items of one partition, with what the partition knows about itself.
 *
 * <p>Under {@link StorageKeys#item} lies the stored form of an item, under the metadata keys 1/0
 * the {@link PartitionMarks}, 2/0 the index keys and 3/0 the time to live in force, as the commands
 * that defined them.
 */
public final class ItemStore {

    public static final String NAME = "items";

    private static final Bytes DEFINITION_KEY = Bytes.wrap(StorageKeys.metadata(2, 0));
    private static final Bytes TIME_TO_LIVE_KEY = Bytes.wrap(StorageKeys.metadata(3, 0));

    private final KeyValueStore<Bytes, byte[]> store;
    private final WriteCodec commands;

    ItemStore(KeyValueStore<Bytes, byte[]> store, WriteCodec commands) {
        this.store = store;
        this.commands = commands;
    }

    /** Returns what builds the store; {@code changelog} are settings of its changelog topic. */
    public static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(
            Map<String, String> changelog) {
        return Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(NAME), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelog);
    }

    Optional<Item> find(PrimaryKey key) {
        byte[] stored = store.get(Bytes.wrap(StorageKeys.item(key)));
        if (stored == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ItemCodec.decode(stored));
        } catch (WireFormatException e) {
            throw new CorruptStateException("Stored item is unreadable", Map.of(), e);
        }
    }

    /** Stores an item in its stored form. */
    void put(PrimaryKey key, byte[] stored) {
        store.put(Bytes.wrap(StorageKeys.item(key)), stored);
    }

    void remove(PrimaryKey key) {
        store.delete(Bytes.wrap(StorageKeys.item(key)));
    }

    PartitionMarks marks() {
        byte[] stored = store.get(PartitionMarks.KEY);
        return stored == null ? PartitionMarks.START : PartitionMarks.parse(stored);
    }

    void putMarks(PartitionMarks marks) {
        store.put(PartitionMarks.KEY, marks.toBytes());
    }

    Optional<DefineIndexKeys> definition() {
        return command(DEFINITION_KEY, DefineIndexKeys.class);
    }

    void putDefinition(DefineIndexKeys definition) {
        putCommand(DEFINITION_KEY, definition);
    }

    TimeToLive timeToLive() {
        return command(TIME_TO_LIVE_KEY, Write.DefineTimeToLive.class)
                .map(Write.DefineTimeToLive::setting)
                .orElse(TimeToLive.NEVER);
    }

    void putTimeToLive(TimeToLive setting) {
        putCommand(TIME_TO_LIVE_KEY, new Write.DefineTimeToLive(setting));
    }

    private <T extends Write> Optional<T> command(Bytes key, Class<T> kind) {
        byte[] stored = store.get(key);
        if (stored == null) {
            return Optional.empty();
        }
        try {
            Write write = commands.decode(stored).write();
            if (kind.isInstance(write)) {
                return Optional.of(kind.cast(write));
            }
            throw new CorruptStateException(
                    "Stored definition is another command", Map.of("kind", kind.getSimpleName()));
        } catch (WireFormatException e) {
            throw new CorruptStateException("Stored definition is unreadable", Map.of(), e);
        }
    }

    private void putCommand(Bytes key, Write definition) {
        store.put(key, commands.encode(new WriteCommand(Optional.empty(), definition)));
    }
}
