package dev.tidemark.lsi;

import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The store that holds the entries of all local indexes of one partition of a table. */
public final class LocalIndexStore {

    public static final String NAME = "local";

    private LocalIndexStore() {}

    /** Returns what builds the store; {@code changelog} are settings of its changelog topic. */
    public static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(
            Map<String, String> changelog) {
        return Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(NAME), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelog);
    }
}
