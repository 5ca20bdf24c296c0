package dev.tidemark.query.routing;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What this node knows of all nodes: which of them has which partition open, and how far each
 * partition is. Thread-safe; never blocks.
 *
 * <p>What is said of this node is exact; what is said of others is at most some heartbeats old.
 */
public interface Cluster {

    /** Returns whether the partition is open on this node. */
    boolean isHere(PartitionRef partition);

    /**
     * Returns the node that has the partition open: this one if it has, else the one that came to
     * have it last. Empty if none is known to.
     */
    Optional<NodeAddress> owner(PartitionRef partition);

    /** Returns the nodes that are there, this one included once it is announced, by id. */
    List<NodeAddress> nodes();

    /**
     * Returns whether this node has the lowest id of those there. Two nodes may think so for a
     * while.
     */
    boolean leads();

    /** Returns whether every partition of the table is open on some node. */
    boolean isOpen(TableDefinition table);

    /** Returns whether every partition of the index is open on some node. */
    boolean isOpen(TableDefinition table, GlobalIndex index);

    /** Returns whether some node has a partition of the table open. */
    boolean isHeld(TableId table);

    /** Returns whether some node has a partition of the index open. */
    boolean isHeld(IndexId index);

    /**
     * Returns the sequence of every partition of the table, or empty if one is not open anywhere.
     * That of a partition elsewhere may have grown since.
     */
    Optional<List<Long>> sequences(TableDefinition table);

    /**
     * Returns whether every partition of the index is open and has applied the table's changes up
     * to {@code sequences}, one for each partition of the table.
     */
    default boolean hasApplied(TableDefinition table, GlobalIndex index, List<Long> sequences) {
        return tidemarks(table, index)
                .filter(
                        tidemarks ->
                                IntStream.range(0, sequences.size())
                                        .allMatch(at -> tidemarks.get(at) >= sequences.get(at)))
                .isPresent();
    }

    /**
     * Returns for each partition of the table up to which change the whole index has come, or empty
     * if a partition of the index is not open anywhere. Of partitions elsewhere it may have come
     * further since.
     */
    Optional<List<Long>> tidemarks(TableDefinition table, GlobalIndex index);

    /**
     * Returns for each partition of the table what has become of its changes in the index, or empty
     * if they are not projected anywhere for one. Of those elsewhere more may have become since.
     */
    Optional<List<ProjectionCounts>> projections(TableDefinition table, GlobalIndex index);

    /** Returns what has become of the table's changes in the index: all partitions together. */
    default Optional<ProjectionCounts> counts(TableDefinition table, GlobalIndex index) {
        return projections(table, index)
                .map(all -> all.stream().reduce(ProjectionCounts.NONE, ProjectionCounts::plus));
    }

    /** Adds a listener that is told when partitions come, go or get on; it must not block. */
    void addListener(ProgressBoard.Listener listener);

    /** Forgets how far a table, which is gone, and its indexes were. */
    void forget(TableId table);

    /** Forgets how far one generation of an index, which is gone, was. */
    void forget(IndexId index);

    /** Returns the cluster of one node that has no others beside it. */
    static Cluster alone(NodeAddress address, ProgressBoard board) {
        return new LoneCluster(address, board);
    }
}
