package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexLag;
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
    private final Duration ownWrites;
    private final Duration askedFor;

    /**
     * Makes it.
     *
     * @param board the partitions on this node
     * @param lags knows the table's partitions on this node and on others
     * @param ownWrites how long a read waits for the writes this node has acknowledged; then it is
     *     answered all the same, its lag told. Zero does not wait
     * @param askedFor how long a read waits for the changes its caller names; then it is refused,
     *     retryably
     */
    public IndexFreshness(
            ProgressBoard board,
            Lags lags,
            AcknowledgedWrites acknowledged,
            Duration ownWrites,
            Duration askedFor) {
        this.board = board;
        this.lags = lags;
        this.acknowledged = acknowledged;
        this.ownWrites = ownWrites;
        this.askedFor = askedFor;
    }

    /**
     * Returns a stage that completes once one partition of the index reflects the changes at {@code
     * after}, and, if it may wait for them, those this node has acknowledged. It completes on a
     * thread that must not be blocked.
     */
    public CompletionStage<Void> reflects(
            TableDefinition table, GlobalIndex index, int partition, List<Position> after) {
        IndexProgress progress =
                board.index(IndexId.of(table, index), partition)
                        .filter(IndexProgress::isOpen)
                        .orElse(null);
        if (progress == null) {
            return CompletableFuture.failedFuture(Texts.notHere());
        }
        CompletionStage<Void> own = ownWrites.isZero() ? done() : own(table, progress);
        return after.isEmpty()
                ? own
                : own.thenCompose(
                        ignored ->
                                reached(progress, after)
                                        .orTimeout(askedFor.toNanos(), TimeUnit.NANOSECONDS)
                                        .exceptionallyCompose(
                                                failure ->
                                                        CompletableFuture.failedFuture(
                                                                Texts.stale())));
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
