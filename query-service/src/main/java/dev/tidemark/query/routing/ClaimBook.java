package dev.tidemark.query.routing;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the other nodes have said of themselves, in the order of the log. One thread writes, any may
 * read.
 */
final class ClaimBook {

    /*
     * Newest claim wins: a node repeats its claims with every heartbeat, so what counts is where in
     * the log it first claimed a partition that it has claimed ever since.
     *
     * Liveness: by the time at which this node heard of the other, never by the other's clock. What
     * is read while catching up with the log was said at some time unknown, so a node counts only
     * once it has been heard of live.
     */

    /**
     * What is known of one node.
     *
     * @param since where in the log it began to claim each of its partitions
     * @param heardAt when it was last heard of live, in nanoseconds of this node
     */
    private record Known(NodeClaim claim, Map<PartitionRef, Long> since, Optional<Long> heardAt) {}

    private final long patienceNanos;
    private final Map<PartitionRef.OfTable, BaseHistory> bases = new ConcurrentHashMap<>();
    private final Map<PartitionRef.OfIndex, NodeClaim.IndexClaim> indexes =
            new ConcurrentHashMap<>();
    private volatile Map<String, Known> nodes = Map.of();

    /**
     * Makes an empty book.
     *
     * @param patience how long a node counts after it was last heard of
     */
    ClaimBook(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /** Takes down a claim that was written before this node listened. */
    void replayed(long offset, NodeClaim claim) {
        note(offset, claim, Optional.empty());
    }

    /** Takes down a claim that arrived just now. */
    void heard(long offset, NodeClaim claim, long nowNanos) {
        note(offset, claim, Optional.of(nowNanos));
    }

    /** Takes down that a node has left. */
    void left(String node) {
        Map<String, Known> next = new TreeMap<>(nodes);
        next.remove(node);
        nodes = Collections.unmodifiableMap(next);
    }

    /** Returns the node that claims the partition, the newest if there are several. */
    Optional<NodeAddress> owner(PartitionRef partition, long nowNanos) {
        return holder(partition, nowNanos).map(known -> known.claim().address());
    }

    /** Returns whether some node claims a partition such as this. */
    boolean anyClaimed(Predicate<PartitionRef> such, long nowNanos) {
        return live(nowNanos).flatMap(known -> known.since().keySet().stream()).anyMatch(such);
    }

    /** Returns the nodes heard of lately, by id. */
    List<NodeAddress> nodes(long nowNanos) {
        return live(nowNanos).map(known -> known.claim().address()).toList();
    }

    /** Returns what the owner of a table partition says of it. */
    Optional<NodeClaim.BaseClaim> base(PartitionRef.OfTable partition, long nowNanos) {
        return holder(partition, nowNanos)
                .flatMap(
                        known ->
                                known.claim().bases().stream()
                                        .filter(base -> base.partition().equals(partition))
                                        .findFirst());
    }

    /** Returns what the owner of an index partition says of it. */
    Optional<NodeClaim.IndexClaim> index(PartitionRef.OfIndex partition, long nowNanos) {
        return holder(partition, nowNanos)
                .flatMap(
                        known ->
                                known.claim().indexes().stream()
                                        .filter(index -> index.partition().equals(partition))
                                        .findFirst());
    }

    /** Returns what the node that projects a table partition into an index says of it. */
    Optional<NodeClaim.ProjectionClaim> projection(
            PartitionRef.OfProjection partition, long nowNanos) {
        return holder(partition, nowNanos)
                .flatMap(
                        known ->
                                known.claim().projections().stream()
                                        .filter(each -> each.partition().equals(partition))
                                        .findFirst());
    }

    /** Returns what was ever said of a table partition, whoever said it and is there or not. */
    Optional<BaseHistory> history(PartitionRef.OfTable partition) {
        return Optional.ofNullable(bases.get(partition));
    }

    /** Returns what was last said of an index partition, whoever said it and is there or not. */
    Optional<NodeClaim.IndexClaim> lastSaid(PartitionRef.OfIndex partition) {
        return Optional.ofNullable(indexes.get(partition));
    }

    /** Forgets how far a table, which is gone, and its indexes were. */
    void forget(TableId table) {
        bases.keySet().removeIf(partition -> partition.table().equals(table));
        indexes.keySet().removeIf(partition -> partition.index().table().equals(table));
    }

    /** Forgets how far an index, which is gone, was. */
    void forget(IndexId index) {
        indexes.keySet().removeIf(partition -> partition.index().equals(index));
    }

    private void note(long offset, NodeClaim claim, Optional<Long> heardAt) {
        String node = claim.address().node();
        Optional<Known> before =
                Optional.ofNullable(nodes.get(node))
                        .filter(known -> known.claim().boot().equals(claim.boot()));
        Map<PartitionRef, Long> since = new HashMap<>();
        claim.partitions()
                .forEach(
                        partition ->
                                since.put(
                                        partition,
                                        before.map(known -> known.since().get(partition))
                                                .orElse(offset)));
        Map<String, Known> next = new TreeMap<>(nodes);
        next.put(node, new Known(claim, Collections.unmodifiableMap(since), heardAt));
        nodes = Collections.unmodifiableMap(next);
        claim.bases()
                .forEach(
                        base ->
                                bases.computeIfAbsent(base.partition(), unseen -> new BaseHistory())
                                        .add(base, claim.at()));
        claim.indexes().forEach(index -> indexes.put(index.partition(), index));
    }

    private Optional<Known> holder(PartitionRef partition, long nowNanos) {
        return live(nowNanos)
                .filter(known -> known.since().containsKey(partition))
                .max(
                        (one, other) ->
                                Long.compare(
                                        one.since().getOrDefault(partition, -1L),
                                        other.since().getOrDefault(partition, -1L)));
    }

    private Stream<Known> live(long nowNanos) {
        return nodes.values().stream()
                .filter(
                        known ->
                                known.heardAt()
                                        .filter(heard -> nowNanos - heard <= patienceNanos)
                                        .isPresent());
    }
}
