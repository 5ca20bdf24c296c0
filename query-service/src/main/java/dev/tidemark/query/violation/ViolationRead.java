package dev.tidemark.query.violation;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.query.read.StoreRef;
import dev.tidemark.wire.JsonBytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to list what one partition of a table has that has no place in an index.
 *
 * @param index the generation of the index
 * @param partition which partition of the table
 * @param after the key after which to begin
 * @param limit how many items to list, at most
 * @param budget how many bytes to list; the item that exceeds it is the last
 */
record ViolationRead(IndexId index, int partition, Optional<Item> after, int limit, int budget) {

    /** The most bytes of a page. */
    static final int PAGE_BYTES = 1 << 20;

    /** Lists what the stores of this node hold; blocks on them. */
    ViolationPage from(PartitionStores stores, TableDefinition table) {
        Collector collector = new Collector();
        stores.visit(
                new StoreRef.Violations(index, partition),
                span(table),
                PartitionStores.Direction.FORWARD,
                collector::take);
        return collector.page();
    }

    private KeySpan span(TableDefinition table) {
        KeySpan all = KeySpan.from(StorageKeys.hashStart(0));
        return after.flatMap(table.key()::keyOf)
                .map(key -> all.after(StorageKeys.item(key)))
                .orElse(all);
    }

    private final class Collector {

        private final JsonBytes violations = new JsonBytes(1024);
        private int count;
        private byte @Nullable [] last;

        boolean take(byte[] key, byte[] text) {
            if (count > 0) {
                violations.put(',');
            }
            violations.put(text, 0, text.length);
            count++;
            boolean full = count >= limit || violations.size() >= budget;
            last = full ? text : null;
            return !full;
        }

        ViolationPage page() {
            Optional<Item> end =
                    last == null
                            ? Optional.empty()
                            : JsonBody.parse(last).item("Key").map(key -> key.item());
            return new ViolationPage(violations, count, end);
        }
    }
}
