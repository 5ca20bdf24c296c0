package dev.tidemark.query.table;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.routing.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Watches indexes being built, so that it can be told how fast they are and how long they will
 * take. Thread-safe; never blocks.
 */
public final class BackfillWatch {

    /** Rates are told of this long. */
    private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long LEAST_BETWEEN_NANOS = Duration.ofMillis(200).toNanos();
    private static final double NANOS = 1e9;

    private record Sample(long nanos, long done) {}

    private final Cluster cluster;
    private final Map<IndexId, Deque<Sample>> samples = new ConcurrentHashMap<>();

    public BackfillWatch(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Looks how far every index that is being built is; to be called often.
     *
     * @param nanos the time by {@link System#nanoTime}
     */
    public void look(Collection<TableDefinition> tables, long nanos) {
        Set<IndexId> building = new HashSet<>();
        for (TableDefinition table : tables) {
            for (GlobalIndex index : table.generations()) {
                if (isBuilding(index)) {
                    building.add(IndexId.of(table, index));
                    look(table, index, nanos);
                }
            }
        }
        samples.keySet().retainAll(building);
    }

    /** Returns how far the backfill of an index is; empty if it needed none. */
    public Optional<Backfill> of(TableDefinition table, GlobalIndex index) {
        IndexBuild build = index.build();
        if (build.startedAt().isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> total =
                build.target().isEmpty() ? Optional.empty() : Optional.of(sum(build.target()));
        if (!isBuilding(index)) {
            long all = total.orElse(0L);
            return Optional.of(
                    new Backfill(
                            all,
                            true,
                            Optional.of(all),
                            average(build, all),
                            Optional.of(Duration.ZERO)));
        }
        long done = done(table, index).orElse(0L);
        double rate = build.paused() ? 0 : rate(IndexId.of(table, index));
        Optional<Duration> remaining =
                total.filter(all -> rate > 0)
                        .map(all -> Duration.ofMillis(Math.round((all - done) / rate * 1_000)));
        return Optional.of(new Backfill(done, false, total, rate, remaining));
    }

    private static boolean isBuilding(GlobalIndex index) {
        return index.status() == IndexStatus.CREATING && index.build().startedAt().isPresent();
    }

    private void look(TableDefinition table, GlobalIndex index, long nanos) {
        Optional<Long> done = done(table, index);
        if (done.isEmpty()) {
            return;
        }
        Deque<Sample> known =
                samples.computeIfAbsent(IndexId.of(table, index), id -> new ArrayDeque<>());
        synchronized (known) {
            if (!known.isEmpty() && nanos - known.getLast().nanos() < LEAST_BETWEEN_NANOS) {
                return;
            }
            known.addLast(new Sample(nanos, done.get()));
            while (known.size() > 2 && nanos - known.getFirst().nanos() > WINDOW_NANOS) {
                known.removeFirst();
            }
        }
    }

    /**
     * Returns how many of the changes up to the target are projected: applied they are as soon as
     * the app reads its own updates.
     */
    private Optional<Long> done(TableDefinition table, GlobalIndex index) {
        List<Long> target = index.build().target();
        return cluster.projections(table, index)
                .map(all -> all.stream().map(ProjectionCounts::sequence).toList())
                .map(sequences -> sum(lower(sequences, target)));
    }

    /** Returns what became of the changes that are projected, if that is known. */
    Optional<ProjectionCounts> counts(TableDefinition table, GlobalIndex index) {
        return cluster.counts(table, index);
    }

    /** What is applied beyond the target does not count. */
    private static List<Long> lower(List<Long> sequences, List<Long> target) {
        if (target.isEmpty()) {
            return sequences;
        }
        return IntStream.range(0, target.size())
                .mapToObj(at -> Math.min(sequences.get(at), target.get(at)))
                .toList();
    }

    private double rate(IndexId id) {
        Deque<Sample> known = samples.get(id);
        if (known == null) {
            return 0;
        }
        synchronized (known) {
            if (known.size() < 2) {
                return 0;
            }
            Sample first = known.getFirst();
            Sample last = known.getLast();
            return Math.max(0, last.done() - first.done()) * NANOS / (last.nanos() - first.nanos());
        }
    }

    private static double average(IndexBuild build, long all) {
        Optional<Instant> end = build.finishedAt();
        if (end.isEmpty()) {
            return 0;
        }
        long millis = Duration.between(build.startedAt().orElseThrow(), end.get()).toMillis();
        return all * 1e3 / Math.max(1, millis);
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }
}
