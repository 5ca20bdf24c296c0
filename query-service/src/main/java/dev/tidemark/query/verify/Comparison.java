package dev.tidemark.query.verify;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.query.verify.IndexModel.Expected;
import dev.tidemark.query.verify.IndexModel.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares a table with one of its indexes at one position of the table, from rows that are read
 * while both go on. Pure: whoever uses it reads rows and changes, in the order said here. Not
 * thread-safe.
 *
 * <p>First the pages of items, partition after partition, then the pages of entries. Between
 * reading a page, with what is looked up for it, and giving it here, every change must be given
 * that was made after the position and before the page was read to its end.
 */
final class Comparison {

    /*
     * Why it is exact. An entry stands for one item, so only changes of that item write to its place.
     * Call a place touched if a change after the position has written to it. What the index has at a
     * place that is not touched is what it had at the position, and what it should have there is what
     * it should have had at the position, whenever between the position and the last change known
     * either is read. So rows may be read at any time, each at its own, and only places that are not
     * touched are judged. A touched place can no longer be seen as it was, and is taken to have been
     * right: what it should have been is the image before the first change that wrote to it.
     *
     * The sums are of the position as well. An item that was changed before its row came is counted
     * by its image before its first change, one that was changed later by its row; likewise entries.
     * So it need only be known what was changed ahead of where the reading is, and memory grows with
     * the changes made meanwhile, not with the table.
     *
     * One entry may be found missing when the items are read and be written to before its partition
     * of the index is read. It was missing, so it is not taken to have been right.
     *
     * A change that only refreshes an item has what an index held for its image before: there the
     * item was as it is after.
     */

    private final IndexModel model;
    private final Consumer<Difference> found;
    private final List<BitSet> suspicious;
    private final Side items;
    private final Side entries;
    private final HashSet128 missing;
    private final Buckets expected;
    private final Buckets present;
    private long strays;

    /**
     * Begins a comparison.
     *
     * @param suspicious for each partition of the table the groups whose entries are looked up and
     *     compared one by one; of the others only the sums are compared
     * @param most how many changed items, and as many entries, are kept in mind
     * @param found is told of every difference
     */
    Comparison(IndexModel model, List<BitSet> suspicious, int most, Consumer<Difference> found) {
        this.model = model;
        this.suspicious = suspicious;
        this.found = found;
        this.items = new Side(model.partitions(), most);
        this.entries = new Side(model.partitions(), most);
        this.missing = new HashSet128(most);
        this.expected = new Buckets(model.partitions());
        this.present = new Buckets(model.partitions());
    }

    /** One of the two stores: how far it is read, and what was changed ahead of that. */
    private static final class Side {

        private final byte[] @Nullable [] readTo;
        private final HashSet128 touched;

        Side(int partitions, int most) {
            readTo = new byte[partitions][];
            touched = new HashSet128(most);
            Arrays.fill(readTo, new byte[0]);
        }

        boolean isRead(int partition, byte[] key) {
            byte[] end = readTo[partition];
            return end == null || Arrays.compareUnsigned(key, end) <= 0;
        }

        /** Notes a change; returns whether it is the first one, and ahead. */
        boolean touch(int partition, byte[] key, Hash128 hash) {
            if (isRead(partition, key)) {
                return false;
            }
            if (touched.isFull() && !touched.contains(hash)) {
                throw new TooManyChangesException();
            }
            return touched.add(hash);
        }

        boolean isTouched(Hash128 hash) {
            return touched.contains(hash);
        }

        void read(int partition, List<Row> rows, boolean isLast) {
            if (isLast) {
                readTo[partition] = null;
            } else if (!rows.isEmpty()) {
                readTo[partition] = rows.get(rows.size() - 1).key();
            }
        }
    }

    /** Takes a change after the position; of each partition of the table, one after another. */
    void changed(ChangeRecord change) {
        PrimaryKey key = change.key();
        int base = change.origin().position().partition();
        boolean isRepair = change.origin().cause() == ChangeCause.REPAIR;
        Optional<Expected> before =
                (isRepair ? change.after() : change.before())
                        .flatMap(item -> model.expected(key, item));
        int bucket = IndexModel.bucket(key);
        byte[] itemKey = StorageKeys.item(key);
        if (!isRepair && items.touch(base, itemKey, Hash128.of(itemKey))) {
            before.ifPresent(entry -> expected.add(base, bucket, entry.content()));
        }
        for (Place place : model.touched(change)) {
            Hash128 hash = place.hash();
            if (entries.touch(place.indexPartition(), place.storageKey().toByteArray(), hash)
                    && !missing.contains(hash)) {
                before.filter(entry -> entry.place().isSameAs(place))
                        .ifPresent(entry -> present.add(base, bucket, entry.content()));
            }
        }
    }

    /**
     * Returns the storage keys to look up in the index for a page of items, by partition of the
     * index.
     */
    Map<Integer, List<byte[]>> entriesToLookUp(int base, List<Row> rows) {
        Map<Integer, List<byte[]>> keys = new HashMap<>();
        for (Row row : rows) {
            Item item = IndexModel.item(row);
            PrimaryKey key = model.keyOf(item);
            if (isSuspicious(base, IndexModel.bucket(key))) {
                model.expected(key, item)
                        .ifPresent(
                                entry ->
                                        keys.computeIfAbsent(
                                                        entry.place().indexPartition(),
                                                        partition -> new ArrayList<>())
                                                .add(entry.place().storageKey().toByteArray()));
            }
        }
        return keys;
    }

    /**
     * Takes the next page of a partition's items.
     *
     * @param lookedUp what the index has under the keys of {@link #entriesToLookUp}
     */
    void items(int base, List<Row> rows, boolean isLast, Rows lookedUp) {
        for (Row row : rows) {
            Item item = IndexModel.item(row);
            PrimaryKey key = model.keyOf(item);
            int bucket = IndexModel.bucket(key);
            Expected entry = model.expected(key, item).orElse(null);
            if (entry == null) {
                continue;
            }
            if (!items.isTouched(Hash128.of(row.key()))) {
                expected.add(base, bucket, entry.content());
            }
            Place place = entry.place();
            Hash128 hash = place.hash();
            if (isSuspicious(base, bucket)
                    && lookedUp.find(place.storageKey()).isEmpty()
                    && !entries.isTouched(hash)) {
                if (!missing.isFull()) {
                    missing.add(hash);
                }
                found.accept(difference(Difference.Kind.MISSING, base, place));
            }
        }
        items.read(base, rows, isLast);
    }

    /** Returns the storage keys of items to look up for a page of entries, by partition. */
    Map<Integer, List<byte[]>> itemsToLookUp(List<Row> rows) {
        Map<Integer, List<byte[]>> keys = new HashMap<>();
        for (Row row : rows) {
            model.place(row.key())
                    .map(Place::tableKey)
                    .filter(key -> isSuspicious(model.basePartition(key), IndexModel.bucket(key)))
                    .ifPresent(
                            key ->
                                    keys.computeIfAbsent(
                                                    model.basePartition(key),
                                                    partition -> new ArrayList<>())
                                            .add(StorageKeys.item(key)));
        }
        return keys;
    }

    /**
     * Takes the next page of a partition's entries.
     *
     * @param lookedUp what the table has under the keys of {@link #itemsToLookUp}
     */
    void entries(int partition, List<Row> rows, boolean isLast, Rows lookedUp) {
        for (Row row : rows) {
            Place place = model.place(row.key()).orElse(null);
            if (place == null || place.indexPartition() != partition) {
                stray(place);
                continue;
            }
            if (entries.isTouched(place.hash())) {
                continue;
            }
            PrimaryKey key = place.tableKey();
            int base = model.basePartition(key);
            int bucket = IndexModel.bucket(key);
            Hash128 content = IndexModel.content(row);
            present.add(base, bucket, content);
            if (isSuspicious(base, bucket)) {
                judge(base, place, content, lookedUp);
            }
        }
        entries.read(partition, rows, isLast);
    }

    private void judge(int base, Place place, Hash128 content, Rows lookedUp) {
        Optional<Expected> entry =
                lookedUp.find(Binary.wrap(StorageKeys.item(place.tableKey())))
                        .flatMap(row -> model.expected(place.tableKey(), IndexModel.item(row)))
                        .filter(should -> should.place().isSameAs(place));
        if (entry.isEmpty()) {
            found.accept(difference(Difference.Kind.DANGLING, base, place));
        } else if (!entry.get().content().equals(content)) {
            found.accept(difference(Difference.Kind.DIFFERENT, base, place));
        }
    }

    /** No query finds such an entry, and no change can reach it. */
    private void stray(@Nullable Place place) {
        strays++;
        found.accept(
                new Difference(
                        Difference.Kind.DANGLING,
                        place == null ? -1 : model.basePartition(place.tableKey()),
                        Optional.ofNullable(place).map(model::tableKey),
                        Optional.ofNullable(place).map(model::indexKey),
                        false));
    }

    private Difference difference(Difference.Kind kind, int base, Place place) {
        return new Difference(
                kind,
                base,
                Optional.of(model.tableKey(place)),
                Optional.of(model.indexKey(place)),
                true);
    }

    private boolean isSuspicious(int base, int bucket) {
        return suspicious.get(base).get(bucket);
    }

    /** Returns the entries that the index should have had at the position. */
    Buckets expected() {
        return expected;
    }

    /** Returns the entries that the index had at the position. */
    Buckets present() {
        return present;
    }

    /** Returns how many entries lie where none can. */
    long strays() {
        return strays;
    }
}
