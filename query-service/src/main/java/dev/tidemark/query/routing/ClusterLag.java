package dev.tidemark.query.routing;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexLagCalculation;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The lag of indexes, from the tasks on this node and what other nodes say of theirs. */
public final class ClusterLag implements LagView {

    private final ProgressBoard board;
    private final LocalPartitions local;
    private final Optional<ClaimBook> book;
    private final LoggedProgress logged;
    private final InstantSource clock;

    private ClusterLag(
            ProgressBoard board,
            Optional<ClaimBook> book,
            LoggedProgress logged,
            InstantSource clock) {
        this.board = board;
        this.local = new LocalPartitions(board);
        this.book = book;
        this.logged = logged;
        this.clock = clock;
    }

    /**
     * Returns the view of a node among others.
     *
     * @param logged tells of what no node has open or has told of
     */
    public static ClusterLag of(NodeRegistry registry, LoggedProgress logged, InstantSource clock) {
        return new ClusterLag(registry.board(), Optional.of(registry.book()), logged, clock);
    }

    /**
     * Returns the view of a node that has no others beside it.
     *
     * @param logged tells of what the node does not have open
     */
    public static ClusterLag alone(
            ProgressBoard board, LoggedProgress logged, InstantSource clock) {
        return new ClusterLag(board, Optional.empty(), logged, clock);
    }

    static ClusterLag of(ProgressBoard board, ClaimBook book, InstantSource clock) {
        return new ClusterLag(board, Optional.of(book), LoggedProgress.NONE, clock);
    }

    @Override
    public Optional<IndexLag> lag(TableDefinition table, GlobalIndex index) {
        return byBasePartition(table, index).map(ClusterLag::total);
    }

    @Override
    public Optional<List<IndexLag>> byBasePartition(TableDefinition table, GlobalIndex index) {
        return indexPartitions(table, index)
                .flatMap(
                        partitions ->
                                KnownProgress.ofAll(
                                        KnownProgress.partitions(table),
                                        base -> between(table, base, partitions)));
    }

    @Override
    public Optional<List<IndexLag>> byIndexPartition(TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(
                KnownProgress.partitions(table, index), partition -> behind(table, partition));
    }

    @Override
    public Optional<IndexLag> ofIndexPartition(
            TableDefinition table, GlobalIndex index, int partition) {
        return behind(table, KnownProgress.partitions(table, index).get(partition));
    }

    /** Returns how far one partition of an index trails the whole table. */
    private Optional<IndexLag> behind(TableDefinition table, PartitionRef.OfIndex partition) {
        return progress(table, partition)
                .flatMap(
                        known ->
                                KnownProgress.ofAll(
                                        KnownProgress.partitions(table),
                                        base -> between(table, base, List.of(known))))
                .map(ClusterLag::total);
    }

    private Optional<List<IndexProgress>> indexPartitions(
            TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(
                KnownProgress.partitions(table, index), partition -> progress(table, partition));
    }

    /**
     * Here and open, else open elsewhere, else what Kafka tells, and until that is known where it
     * last was.
     */
    private Optional<IndexProgress> progress(
            TableDefinition table, PartitionRef.OfIndex partition) {
        return local.index(partition)
                .or(
                        () ->
                                book.flatMap(known -> known.index(partition, System.nanoTime()))
                                        .map(NodeClaim.IndexClaim::progress))
                .or(() -> logged.index(table, partition))
                .or(() -> board.index(partition.index(), partition.partition()))
                .or(
                        () ->
                                book.flatMap(known -> known.lastSaid(partition))
                                        .map(NodeClaim.IndexClaim::progress));
    }

    private Optional<IndexLag> between(
            TableDefinition table,
            PartitionRef.OfTable partition,
            Collection<IndexProgress> indexPartitions) {
        Optional<BaseHistory> elsewhere = book.flatMap(known -> known.history(partition));
        Optional<BaseProgress> here = local.base(partition);
        if (here.isEmpty() && elsewhere.isPresent()) {
            return Optional.of(
                    between(table, partition.partition(), elsewhere.get(), indexPartitions));
        }
        return here.or(() -> board.base(partition.table(), partition.partition()))
                .or(() -> logged.base(table, partition))
                .map(
                        base ->
                                IndexLagCalculation.between(
                                        base, indexPartitions, table.createdAt(), clock.instant()));
    }

    /**
     * The oldest change that is missing happened after the time at which the table's partition was
     * last known not to have it, and after the last change the index has.
     */
    private IndexLag between(
            TableDefinition table,
            int basePartition,
            BaseHistory base,
            Collection<IndexProgress> indexPartitions) {
        long tidemark = Long.MAX_VALUE;
        long tidemarkTime = 0;
        for (IndexProgress partition : indexPartitions) {
            long time = partition.timeOf(basePartition);
            long sequence = partition.tidemark(basePartition).value();
            if (sequence < tidemark) {
                tidemark = sequence;
                tidemarkTime = time;
            }
        }
        long tableSequence = base.sequence();
        if (tableSequence <= tidemark) {
            return IndexLag.NONE;
        }
        Instant created = table.createdAt();
        long since =
                Math.max(
                        Math.max(tidemarkTime, created.toEpochMilli()),
                        base.lastTimeBefore(tidemark + 1).orElse(0L));
        long age = Math.max(0, clock.millis() - since);
        return new IndexLag(tableSequence - tidemark, Duration.ofMillis(age));
    }

    private static IndexLag total(List<IndexLag> parts) {
        return parts.stream().reduce(IndexLag.NONE, IndexLag::plus);
    }
}
