package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Makes reads of a global index wait for the changes they must reflect, and says how far an answer
 * may trail the table. Thread-safe; never blocks.
 */
public final class IndexFreshness {

    /**
     * On every answer from a global index: {@code changes=<n>;ms=<n>}, how many changes of the
     * table the partition read had not applied, and the age of the oldest of them in milliseconds;
     * both 0 if it had applied all. {@code unknown} if this node has never heard of some partition
     * of the table.
     */
    public static final String LAG = "x-tidemark-lag";

    private static final Pattern LAG_FORM =
            Pattern.compile("changes=([0-9]{1,18});ms=([0-9]{1,18})");

    /** Tells how far partitions of indexes trail their tables. Thread-safe; never blocks. */
    public interface Lags {

        /**
         * Returns how far an answer from one partition of the index may trail the whole table, or
         * empty if nothing was ever heard of that partition or of some partition of the table.
         */
        Optional<IndexLag> ofIndexPartition(
                TableDefinition table, GlobalIndex index, int partition);
    }

    private final ProgressBoard board;
    private final Lags lags;
    private final AcknowledgedWrites acknowledged;
    private final CurrentPositions currentPositions;
    private final Duration ownWrites;
    private final Duration askedFor;

    /**
     * Makes it.
     *
     * @param board the partitions on this node
     * @param lags knows the table's partitions on this node and on others
     * @param currentPositions finds where a table is now
     * @param ownWrites how long a read waits for the writes this node has acknowledged; then it is
     *     answered all the same, its lag told. Zero does not wait
     * @param askedFor how long a read waits until it is as fresh as its caller asks; then it is
     *     refused, retryably
     */
    public IndexFreshness(
            ProgressBoard board,
            Lags lags,
            AcknowledgedWrites acknowledged,
            CurrentPositions currentPositions,
            Duration ownWrites,
            Duration askedFor) {
        this.board = board;
        this.lags = lags;
        this.acknowledged = acknowledged;
        this.currentPositions = currentPositions;
        this.ownWrites = ownWrites;
        this.askedFor = askedFor;
    }

    /**
     * Returns a stage that completes once one partition of the index is as fresh as asked for, and,
     * if it may wait for them, reflects the writes this node has acknowledged. It fails with a
     * retryable {@link ApiException}, and completes on a thread that must not be blocked.
     */
    public CompletionStage<Void> reflects(
            TableDefinition table, GlobalIndex index, int partition, Freshness wanted) {
        IndexProgress progress =
                board.index(IndexId.of(table, index), partition)
                        .filter(IndexProgress::isOpen)
                        .orElse(null);
        if (progress == null) {
            return CompletableFuture.failedFuture(Texts.notHere());
        }
        CompletionStage<Void> own = ownWrites.isZero() ? done() : own(table, progress);
        if (wanted.equals(Freshness.ANY)) {
            return own;
        }
        return own.thenCompose(
                ignored ->
                        wanted(new Reading(table, index, progress), wanted)
                                .toCompletableFuture()
                                .orTimeout(askedFor.toNanos(), TimeUnit.NANOSECONDS)
                                .exceptionallyCompose(
                                        failure -> CompletableFuture.failedFuture(Texts.stale())));
    }

    /** What is read: one partition of an index. */
    private record Reading(TableDefinition table, GlobalIndex index, IndexProgress progress) {}

    private CompletionStage<Void> wanted(Reading reading, Freshness wanted) {
        CompletionStage<Void> reached = reached(reading.progress(), wanted.after());
        if (wanted.current()) {
            return reached.thenCompose(ignored -> current(reading));
        }
        if (wanted.maxStaleness().isPresent()) {
            Duration most = wanted.maxStaleness().get();
            long deadline = System.nanoTime() + askedFor.toNanos();
            return reached.thenCompose(ignored -> within(reading, most, deadline));
        }
        return reached;
    }

    /** Completes once the partition reflects all that the table holds now. */
    private CompletionStage<Void> current(Reading reading) {
        return currentPositions
                .of(reading.table())
                .thenCompose(positions -> reached(reading.progress(), positions));
    }

    /**
     * Completes once the partition trails the table by no more than {@code most}. What reflects all
     * that the table held at some moment is not older than that moment.
     */
    private CompletionStage<Void> within(Reading reading, Duration most, long deadline) {
        if (isWithin(reading, most)) {
            return done();
        }
        long asked = System.nanoTime();
        return current(reading)
                .thenCompose(
                        ignored -> {
                            long now = System.nanoTime();
                            if (now - asked <= most.toNanos()) {
                                return done();
                            }
                            return now < deadline
                                    ? within(reading, most, deadline)
                                    : CompletableFuture.failedFuture(Texts.stale());
                        });
    }

    /** Only what is on this node is known exactly. */
    private boolean isWithin(Reading reading, Duration most) {
        TableDefinition table = reading.table();
        boolean isExact =
                IntStream.range(0, table.partitions())
                        .allMatch(
                                base ->
                                        board.base(table.id(), base)
                                                .filter(BaseProgress::isOpen)
                                                .isPresent());
        return isExact
                && lag(table, reading.index(), reading.progress().partition())
                        .filter(lag -> lag.isWithin(most))
                        .isPresent();
    }

    /**
     * Returns how far an answer from one partition of the index may trail the table, or empty if
     * this node does not know.
     */
    public Optional<IndexLag> lag(TableDefinition table, GlobalIndex index, int partition) {
        return lags.ofIndexPartition(table, index, partition);
    }

    /** Returns the value of {@link #LAG} that tells {@code lag}. */
    public static String text(Optional<IndexLag> lag) {
        return lag.map(known -> "changes=" + known.changes() + ";ms=" + known.age().toMillis())
                .orElse("unknown");
    }

    /** Returns the lag that a value of {@link #LAG} tells, or empty if it tells none. */
    public static Optional<IndexLag> parse(String text) {
        Matcher matcher = LAG_FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new IndexLag(
                                Long.parseLong(matcher.group(1)),
                                Duration.ofMillis(Long.parseLong(matcher.group(2)))))
                : Optional.empty();
    }

    private CompletionStage<Void> own(TableDefinition table, IndexProgress progress) {
        List<Position> positions = acknowledged.of(table.id(), table.partitions());
        CompletableFuture<Void> reached = reached(progress, positions);
        if (reached.isDone()) {
            return reached.isCompletedExceptionally()
                    ? CompletableFuture.failedFuture(Texts.notHere())
                    : reached;
        }
        return reached.completeOnTimeout(null, ownWrites.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Texts.notHere()));
    }

    private static CompletableFuture<Void> reached(
            IndexProgress progress, List<Position> positions) {
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (Position position : positions) {
            CompletableFuture<Long> reached =
                    progress.tidemark(position.partition()).reaches(position.sequence());
            if (!reached.isDone() || reached.isCompletedExceptionally()) {
                waiting.add(reached);
            }
        }
        return waiting.isEmpty()
                ? done()
                : CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }
}
