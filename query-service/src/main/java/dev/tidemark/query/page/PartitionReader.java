package dev.tidemark.query.page;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.query.ItemOutput;
import dev.tidemark.query.page.PartitionRead.Fetching;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.wire.AttributeNames;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.JsonBytes;
import dev.tidemark.wire.StoredItems;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries of one partition until a limit or the end. Without a filter, entries go from their
 * stored form into the reply without becoming objects. Thread-safe; blocks on the stores.
 */
final class PartitionReader {

    /** Half a read unit, the price of an eventual read: 4 KB. */
    private static final int HALF_UNIT = 4096;

    private final PartitionStores stores;

    PartitionReader(PartitionStores stores) {
        this.stores = stores;
    }

    PartitionPage read(PartitionRead read) {
        Collector collector = new Collector(read);
        stores.visit(
                read.source().store(read.partition()),
                read.span(),
                read.direction(),
                collector::take);
        return collector.page();
    }

    private final class Collector {

        private final PartitionRead read;
        private final AttributeNames tableKeyNames;
        private final JsonBytes items = new JsonBytes(4096);
        private int count;
        private int scanned;
        private long bytes;
        private long fetchedUnits;

        /** All bytes read, those of fetched items included. */
        private long volume;

        private byte @Nullable [] last;
        private boolean stopped;

        Collector(PartitionRead read) {
            this.read = read;
            this.tableKeyNames = AttributeNames.of(read.source().table().key().names());
        }

        boolean take(byte[] key, byte[] value) {
            scanned++;
            int size = StoredItems.size(value);
            bytes += size;
            volume += size;
            last = value;
            if (read.fetching() == Fetching.NOTHING) {
                show(value, value);
            } else {
                boolean showsItem = read.fetching() == Fetching.FILTER_AND_OUTPUT;
                fetch(value).ifPresent(item -> show(item, showsItem ? item : value));
            }
            stopped = scanned >= read.limit() || volume >= read.budget();
            return !stopped;
        }

        /** Returns the item of an entry, or empty if it was deleted since the entry was read. */
        private Optional<byte[]> fetch(byte[] entry) {
            PrimaryKey key =
                    read.source()
                            .table()
                            .key()
                            .keyOf(StoredItems.only(entry, tableKeyNames))
                            .orElseThrow();
            Optional<byte[]> item =
                    stores.get(read.source().items(read.partition()), StorageKeys.item(key));
            int size = item.map(StoredItems::size).orElse(0);
            volume += size;
            fetchedUnits += Math.max(1, (size + HALF_UNIT - 1) / HALF_UNIT);
            return item;
        }

        /** Shows an item or entry if the filter lets pass what it looks at. */
        private void show(byte[] filtered, byte[] shown) {
            if (read.filter().isPresent()
                    && !read.filter().get().holdsFor(ItemCodec.decode(filtered))) {
                return;
            }
            count++;
            Optional<ItemOutput> output = read.output();
            if (output.isPresent()) {
                if (items.size() > 0) {
                    items.put(',');
                }
                output.get().write(shown, items);
            }
        }

        PartitionPage page() {
            byte[] end = last;
            Optional<Item> cursor =
                    stopped && end != null
                            ? Optional.of(StoredItems.only(end, read.source().cursorNames()))
                            : Optional.empty();
            return new PartitionPage(
                    items, count, scanned, bytes, fetchedUnits, cursor, Optional.empty());
        }
    }
}
