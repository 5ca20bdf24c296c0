package dev.tidemark.query.item;

import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.read.StoreRef;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads single items of partitions on this node. Thread-safe. */
final class ItemReads {

    private final Services services;

    ItemReads(Services services) {
        this.services = services;
    }

    /** Returns the stored form of an item; completes on a worker. */
    CompletionStage<Optional<byte[]>> get(
            TableFacts facts, int partition, PrimaryKey key, boolean consistent) {
        StoreRef store = new StoreRef.Items(facts.table().id(), partition);
        byte[] storageKey = StorageKeys.item(key);
        if (!consistent) {
            return CompletableFuture.supplyAsync(
                    () -> services.stores().get(store, storageKey), services.workers());
        }
        return services.readIndex()
                .current(facts.table(), partition)
                .thenApplyAsync(
                        ignored -> services.stores().get(store, storageKey), services.workers());
    }
}
