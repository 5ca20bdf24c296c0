package dev.tidemark.query.verify;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.read.CurrentPositions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a table and one of its indexes once, and compares them. Blocks; for one thread. */
final class VerificationPass {

    /** How many changed items, and as many entries, are kept in mind: 64 MB of each at most. */
    static final int MOST_CHANGES = 1_000_000;

    private static final int PAGE_ROWS = 1_000;
    private static final int PAGE_BYTES = 1 << 20;

    /**
     * What a pass found.
     *
     * @param position the last change of each partition of the table at the position compared
     */
    record Result(List<Position> position, Buckets expected, Buckets present, long strays) {}

    private final TableDefinition table;
    private final GlobalIndex index;
    private final IndexModel model;
    private final RowReads reads;
    private final CurrentPositions positions;
    private final ChangeFeed.Source feeds;
    private final ReadPace pace;

    VerificationPass(
            TableDefinition table,
            GlobalIndex index,
            RowReads reads,
            CurrentPositions positions,
            ChangeFeed.Source feeds,
            ReadPace pace) {
        this.table = table;
        this.index = index;
        this.model = new IndexModel(table, index);
        this.reads = reads;
        this.positions = positions;
        this.feeds = feeds;
        this.pace = pace;
    }

    /**
     * Compares them as of now.
     *
     * @param suspicious for each partition of the table the groups whose entries are compared one
     *     by one
     * @param found is told of differences
     */
    Result run(List<BitSet> suspicious, Consumer<Difference> found) {
        try (ChangeFeed feed = feeds.open(table)) {
            List<Position> position = now();
            feed.begin(position);
            Comparison comparison = new Comparison(model, suspicious, MOST_CHANGES, found);
            Reading reading = new Reading(position, comparison, feed);
            for (int base = 0; base < table.partitions(); base++) {
                reading.items(base);
            }
            for (int partition = 0; partition < table.partitions(); partition++) {
                reading.entries(partition);
            }
            return new Result(
                    position, comparison.expected(), comparison.present(), comparison.strays());
        }
    }

    private List<Position> now() {
        return reads.await(() -> positions.of(table));
    }

    private final class Reading {

        private final List<Position> position;
        private final Comparison comparison;
        private final ChangeFeed feed;

        Reading(List<Position> position, Comparison comparison, ChangeFeed feed) {
            this.position = position;
            this.comparison = comparison;
            this.feed = feed;
        }

        void items(int base) {
            Binary after = Binary.EMPTY;
            for (boolean isLast = false; !isLast; ) {
                RowPage page = page(Optional.empty(), base, after);
                Rows lookedUp =
                        lookUp(Optional.of(index), comparison.entriesToLookUp(base, page.rows()));
                follow();
                comparison.items(base, page.rows(), page.isLast(), lookedUp);
                after = end(page, after);
                isLast = page.isLast();
            }
        }

        void entries(int partition) {
            Binary after = Binary.EMPTY;
            for (boolean isLast = false; !isLast; ) {
                RowPage page = page(Optional.of(index), partition, after);
                Rows lookedUp = lookUp(Optional.empty(), comparison.itemsToLookUp(page.rows()));
                follow();
                comparison.entries(partition, page.rows(), page.isLast(), lookedUp);
                after = end(page, after);
                isLast = page.isLast();
            }
        }

        private RowPage page(Optional<GlobalIndex> of, int partition, Binary after) {
            RowPage page =
                    read(of, partition, new RowRequest.What.Page(after, PAGE_ROWS, PAGE_BYTES));
            pace.read(page.rows().size());
            return page;
        }

        private RowPage read(Optional<GlobalIndex> of, int partition, RowRequest.What what) {
            return reads.read(new RowRequest(table, of, partition, position, what));
        }

        private Binary end(RowPage page, Binary before) {
            List<Row> rows = page.rows();
            return rows.isEmpty() ? before : Binary.wrap(rows.get(rows.size() - 1).key());
        }

        private Rows lookUp(Optional<GlobalIndex> of, Map<Integer, List<byte[]>> keys) {
            List<Row> rows = new ArrayList<>();
            keys.forEach(
                    (partition, wanted) ->
                            rows.addAll(
                                    read(of, partition, new RowRequest.What.Lookup(wanted))
                                            .rows()));
            return Rows.of(rows);
        }

        /** Whatever was read shows no later change than the last there is by now. */
        private void follow() {
            feed.readUpTo(now(), comparison::changed);
        }
    }
}
