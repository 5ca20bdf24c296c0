package dev.tidemark.model.progress;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * How far global indexes trail their tables, from the progress of the tasks on this node. Counts
 * changes and never offsets, so what transactions leave between records in a topic has no part in
 * it. Thread-safe.
 *
 * <p>Changes: the sequence of the table's partition less the lowest tidemark any partition of the
 * index has for it. A tidemark that is ahead of a table partition which has just restarted, and
 * which will make the same changes again, counts as none behind.
 *
 * <p>Age: zero if no change is missing, else the time since the oldest missing change happened. If
 * the time of that change is no longer remembered, the time of the change before it, which the
 * index has applied, stands in for it; if there is none, the table's creation. Both say at least
 * the true age, so a bound on staleness holds. A clock that runs behind the changes' own times
 * gives zero.
 */
public final class IndexLagCalculation {

    private final ProgressBoard board;
    private final InstantSource clock;

    public IndexLagCalculation(ProgressBoard board, InstantSource clock) {
        this.board = board;
        this.clock = clock;
    }

    /**
     * Returns how far the whole index trails the whole table, or empty if some partition of either
     * has never been on this node.
     */
    public Optional<IndexLag> ofIndex(TableDefinition table, GlobalIndex index) {
        IndexLag total = IndexLag.NONE;
        for (int base = 0; base < table.partitions(); base++) {
            Optional<IndexLag> lag = ofBasePartition(table, index, base);
            if (lag.isEmpty()) {
                return Optional.empty();
            }
            total = total.plus(lag.get());
        }
        return Optional.of(total);
    }

    /**
     * Returns how far the whole index trails one partition of the table, or empty if that partition
     * or one of the index has never been on this node.
     */
    public Optional<IndexLag> ofBasePartition(
            TableDefinition table, GlobalIndex index, int basePartition) {
        List<IndexProgress> partitions = new ArrayList<>(table.partitions());
        for (int partition = 0; partition < table.partitions(); partition++) {
            Optional<IndexProgress> progress = board.index(IndexId.of(table, index), partition);
            if (progress.isEmpty()) {
                return Optional.empty();
            }
            partitions.add(progress.get());
        }
        return board.base(table.id(), basePartition)
                .map(base -> between(base, partitions, table.createdAt(), clock.instant()));
    }

    /**
     * Returns how far one partition of the index trails the whole table: what an answer from that
     * partition may lack. Empty if it or some partition of the table has never been on this node.
     */
    public Optional<IndexLag> ofIndexPartition(
            TableDefinition table, GlobalIndex index, int indexPartition) {
        Optional<IndexProgress> progress = board.index(IndexId.of(table, index), indexPartition);
        if (progress.isEmpty()) {
            return Optional.empty();
        }
        IndexLag total = IndexLag.NONE;
        for (int partition = 0; partition < table.partitions(); partition++) {
            Optional<BaseProgress> base = board.base(table.id(), partition);
            if (base.isEmpty()) {
                return Optional.empty();
            }
            total =
                    total.plus(
                            between(
                                    base.get(),
                                    List.of(progress.get()),
                                    table.createdAt(),
                                    clock.instant()));
        }
        return Optional.of(total);
    }

    /**
     * Returns how far partitions of an index trail one partition of its table.
     *
     * @param base the partition of the table, open or closed
     * @param partitions the partitions of the index, open or closed; none count as caught up
     * @param tableCreatedAt not after any change
     * @param now the time ages are counted to
     */
    public static IndexLag between(
            BaseProgress base,
            Collection<IndexProgress> partitions,
            Instant tableCreatedAt,
            Instant now) {
        // the index first, the table after: what happens in between can only add to the lag
        long tidemark = Long.MAX_VALUE;
        long tidemarkTime = 0;
        for (IndexProgress partition : partitions) {
            // the time first: it may then be that of an earlier change, which says more age, not
            // less
            long time = partition.timeOf(base.partition());
            long sequence = partition.tidemark(base.partition()).value();
            if (sequence < tidemark) {
                tidemark = sequence;
                tidemarkTime = time;
            }
        }
        long tableSequence = base.sequence().value();
        if (tableSequence <= tidemark) {
            return IndexLag.NONE;
        }
        long known = tidemarkTime > 0 ? tidemarkTime : tableCreatedAt.toEpochMilli();
        long oldestMissing = base.timeOf(tidemark + 1).orElse(known);
        long age = Math.max(0, now.toEpochMilli() - oldestMissing);
        return new IndexLag(tableSequence - tidemark, Duration.ofMillis(age));
    }
}
