package dev.tidemark.query.verify;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.Services;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.query.read.StoreRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A request for rows of one partition as they are stored: of a table, or of one of its indexes.
 *
 * @param index the index, or empty for the table itself
 * @param covering changes that an index must have applied before it is read; a table has applied
 *     all that was acknowledged
 * @param what which rows
 */
record RowRequest(
        TableDefinition table,
        Optional<GlobalIndex> index,
        int partition,
        List<Position> covering,
        What what) {

    /** Which rows. */
    sealed interface What {

        /** The next rows behind a key, in order, up to a number and a size. */
        record Page(Binary after, int limit, int budget) implements What {}

        /** The rows under these keys. */
        record Lookup(List<byte[]> keys) implements What {}
    }

    /** Returns what serves the rows. */
    PartitionRef where() {
        return index.<PartitionRef>map(
                        each -> new PartitionRef.OfIndex(IndexId.of(table, each), partition))
                .orElseGet(() -> new PartitionRef.OfTable(table.id(), partition));
    }

    private StoreRef store() {
        return index.<StoreRef>map(
                        each -> new StoreRef.GlobalEntries(IndexId.of(table, each), partition))
                .orElseGet(() -> new StoreRef.Items(table.id(), partition));
    }

    /** Reads the rows on this node, on its workers, once the partition has come far enough. */
    CompletionStage<RowPage> on(Services services) {
        CompletionStage<?> ready =
                index.isPresent()
                        ? services.freshness()
                                .reflects(
                                        table,
                                        index.get(),
                                        partition,
                                        new Freshness(covering, Optional.empty(), false))
                        : services.readIndex().current(table, partition);
        return ready.thenApplyAsync(now -> read(services.stores()), services.workers());
    }

    private RowPage read(PartitionStores stores) {
        List<Row> rows = new ArrayList<>();
        if (what instanceof What.Lookup lookup) {
            for (byte[] key : lookup.keys()) {
                stores.get(store(), key).ifPresent(value -> rows.add(new Row(key, value)));
            }
            return new RowPage(rows, true);
        }
        What.Page page = (What.Page) what;
        KeySpan all = KeySpan.from(StorageKeys.hashStart(0));
        int[] size = {0};
        boolean[] full = {false};
        stores.visit(
                store(),
                page.after().size() == 0 ? all : all.after(page.after().toByteArray()),
                PartitionStores.Direction.FORWARD,
                (key, value) -> {
                    rows.add(new Row(key, value));
                    size[0] += key.length + value.length;
                    full[0] = rows.size() >= page.limit() || size[0] >= page.budget();
                    return !full[0];
                });
        return new RowPage(rows, !full[0]);
    }
}
