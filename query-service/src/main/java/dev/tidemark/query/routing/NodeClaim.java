package dev.tidemark.query.routing;

import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.record.InvalidRecordException;
import dev.tidemark.query.record.JsonRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a node says of itself: where it is, which partitions are open there, and how far they are.
 *
 * @param boot tells this run of the node from its others
 * @param roles what it is there for
 * @param at when it said so, in epoch milliseconds of its own clock
 */
record NodeClaim(
        NodeAddress address,
        String boot,
        Set<String> roles,
        long at,
        List<BaseClaim> bases,
        List<IndexClaim> indexes,
        List<ProjectionClaim> projections) {

    /*
     * Format: one JSON object a record, UTF-8, its key the node id. A node that leaves writes null.
     *
     *   {"v": 1, "node", "boot", "host", "port", "roles": [], "at": epoch milliseconds,
     *    "bases": [{"table", "partition", "sequence", "changedAt"}],
     *    "indexes": [{"table", "index", "generation", "partition", "tidemarks": [], "times": []}],
     *    "projections": [{"table", "index", "generation", "partition", "sequence", "changes",
     *                     "entries" (none: not known), "skipped", "listed"}]}
     *
     * "projections" came later: a claim without them tells of none.
     *
     * Claims are soft: what a reader can't read it leaves out.
     */

    private static final int VERSION = 1;

    /**
     * A partition of a table that is open.
     *
     * @param sequence of its last change
     * @param changedAt when that change happened, in epoch milliseconds; 0 if not known
     */
    record BaseClaim(PartitionRef.OfTable partition, long sequence, long changedAt) {}

    /**
     * A partition of an index that is open.
     *
     * @param tidemarks by partition of the table
     * @param times when the changes at the tidemarks happened; 0 if none was applied
     */
    record IndexClaim(PartitionRef.OfIndex partition, List<Long> tidemarks, List<Long> times) {

        IndexClaim {
            tidemarks = List.copyOf(tidemarks);
            times = List.copyOf(times);
        }

        static IndexClaim of(IndexProgress progress) {
            List<Long> tidemarks = new ArrayList<>(progress.basePartitions());
            List<Long> times = new ArrayList<>(progress.basePartitions());
            for (int base = 0; base < progress.basePartitions(); base++) {
                // the time first: then it is not later than the tidemark's
                times.add(progress.timeOf(base));
                tidemarks.add(progress.tidemark(base).value());
            }
            return new IndexClaim(
                    new PartitionRef.OfIndex(progress.index(), progress.partition()),
                    tidemarks,
                    times);
        }

        /** Returns the claim as the progress it tells of. */
        IndexProgress progress() {
            return new IndexProgress(
                    partition.index(),
                    partition.partition(),
                    tidemarks.stream().mapToLong(Long::longValue).toArray(),
                    times.stream().mapToLong(Long::longValue).toArray());
        }
    }

    /** What has become in an index of the changes of a partition of its table. */
    record ProjectionClaim(PartitionRef.OfProjection partition, ProjectionCounts counts) {

        static ProjectionClaim of(ProjectionProgress progress) {
            return new ProjectionClaim(
                    new PartitionRef.OfProjection(progress.index(), progress.basePartition()),
                    progress.counts());
        }
    }

    NodeClaim {
        roles = Set.copyOf(roles);
        bases = List.copyOf(bases);
        indexes = List.copyOf(indexes);
        projections = List.copyOf(projections);
    }

    /** Returns the claim that tells of what is open on {@code board}. */
    static NodeClaim of(
            NodeAddress address, String boot, Set<String> roles, long at, ProgressBoard board) {
        return new NodeClaim(
                address,
                boot,
                roles,
                at,
                board.openBases().stream().map(NodeClaim::claim).toList(),
                board.openIndexes().stream().map(IndexClaim::of).toList(),
                board.openProjections().stream().map(ProjectionClaim::of).toList());
    }

    /** Returns whether this says the same as {@code other}, whenever it was said. */
    boolean saysAs(NodeClaim other) {
        return equals(
                new NodeClaim(
                        other.address,
                        other.boot,
                        other.roles,
                        at,
                        other.bases,
                        other.indexes,
                        other.projections));
    }

    Stream<PartitionRef> partitions() {
        return Stream.of(
                        bases.stream().map(BaseClaim::partition),
                        indexes.stream().map(IndexClaim::partition),
                        projections.stream().map(ProjectionClaim::partition))
                .flatMap(partitions -> partitions);
    }

    byte[] toBytes() {
        return JsonRecord.builder()
                .number("v", VERSION)
                .text("node", address.node())
                .text("boot", boot)
                .text("host", address.host())
                .number("port", address.port())
                .texts("roles", new TreeSet<>(roles))
                .number("at", at)
                .objects("bases", bases.stream().map(NodeClaim::record).toList())
                .objects("indexes", indexes.stream().map(NodeClaim::record).toList())
                .objects("projections", projections.stream().map(NodeClaim::record).toList())
                .build()
                .toBytes();
    }

    /**
     * Reads a claim.
     *
     * @throws InvalidRecordException if it is none this version can read
     */
    static NodeClaim parse(byte[] bytes) {
        JsonRecord in = JsonRecord.parse(bytes);
        if (in.number("v") != VERSION) {
            throw new InvalidRecordException("Claim of a node has another version");
        }
        try {
            return new NodeClaim(
                    new NodeAddress(in.text("node"), in.text("host"), in.smallNumber("port")),
                    in.text("boot"),
                    Set.copyOf(in.texts("roles")),
                    in.number("at"),
                    in.objects("bases").stream().map(NodeClaim::base).toList(),
                    in.objects("indexes").stream().map(NodeClaim::index).toList(),
                    in.has("projections")
                            ? in.objects("projections").stream().map(NodeClaim::projection).toList()
                            : List.of());
        } catch (IllegalArgumentException e) {
            throw new InvalidRecordException("Claim of a node holds an illegal value", e);
        }
    }

    private static BaseClaim claim(BaseProgress progress) {
        long sequence = progress.sequence().value();
        return new BaseClaim(
                new PartitionRef.OfTable(progress.table(), progress.partition()),
                sequence,
                progress.timeOf(sequence).orElse(0L));
    }

    private static JsonRecord record(BaseClaim base) {
        return JsonRecord.builder()
                .text("table", base.partition().table().value())
                .number("partition", base.partition().partition())
                .number("sequence", base.sequence())
                .number("changedAt", base.changedAt())
                .build();
    }

    private static BaseClaim base(JsonRecord in) {
        return new BaseClaim(
                new PartitionRef.OfTable(
                        new TableId(in.text("table")), in.smallNumber("partition")),
                in.number("sequence"),
                in.number("changedAt"));
    }

    private static JsonRecord record(IndexClaim index) {
        return begin(index.partition().index(), index.partition().partition())
                .numbers("tidemarks", index.tidemarks())
                .numbers("times", index.times())
                .build();
    }

    private static IndexClaim index(JsonRecord in) {
        List<Long> tidemarks = in.numbers("tidemarks");
        List<Long> times = in.numbers("times");
        if (tidemarks.size() != times.size()) {
            throw new InvalidRecordException("Claim of an index has unequal lists");
        }
        return new IndexClaim(
                new PartitionRef.OfIndex(indexId(in), in.smallNumber("partition")),
                tidemarks,
                times);
    }

    private static JsonRecord record(ProjectionClaim projection) {
        ProjectionCounts counts = projection.counts();
        JsonRecord.Builder record =
                begin(projection.partition().index(), projection.partition().partition())
                        .number("sequence", counts.sequence())
                        .number("changes", counts.changes())
                        .number("skipped", counts.skipped())
                        .flag("listed", counts.isListed());
        counts.entries().ifPresent(entries -> record.number("entries", entries));
        return record.build();
    }

    private static ProjectionClaim projection(JsonRecord in) {
        return new ProjectionClaim(
                new PartitionRef.OfProjection(indexId(in), in.smallNumber("partition")),
                new ProjectionCounts(
                        in.number("sequence"),
                        in.number("changes"),
                        in.optionalNumber("entries")
                                .map(OptionalLong::of)
                                .orElse(OptionalLong.empty()),
                        in.number("skipped"),
                        in.flag("listed")));
    }

    private static JsonRecord.Builder begin(IndexId id, int partition) {
        return JsonRecord.builder()
                .text("table", id.table().value())
                .text("index", id.index().value())
                .number("generation", id.generation())
                .number("partition", partition);
    }

    private static IndexId indexId(JsonRecord in) {
        return new IndexId(
                new TableId(in.text("table")),
                new IndexName(in.text("index")),
                in.smallNumber("generation"));
    }
}
