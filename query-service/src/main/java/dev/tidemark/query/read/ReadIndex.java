package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.PartitionMovedException;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes reads of a table linearizable: a read waits until its partition on this node has applied
 * everything the log held when the read came.
 *
 * <p>A node that no longer owns the partition does not apply what the new owner's clients write, so
 * it never answers with old state. Thread-safe; never blocks.
 */
public final class ReadIndex {

    private static final Logger LOGGER = LoggerFactory.getLogger(ReadIndex.class);

    private final ProgressBoard board;
    private final LogEnds ends;
    private final WriteLog log;
    private final Duration untilBarrier;
    private final Duration atMost;

    /**
     * Makes a read index.
     *
     * @param untilBarrier how long to wait before a barrier is appended. The log's end may lie
     *     behind offsets that hold no command, such as the marks of other producers' transactions;
     *     nothing applies those, but a barrier behind them is applied
     * @param atMost how long to wait in all, before the read is refused, retryably
     */
    public ReadIndex(
            ProgressBoard board,
            LogEnds ends,
            WriteLog log,
            Duration untilBarrier,
            Duration atMost) {
        this.board = board;
        this.ends = ends;
        this.log = log;
        this.untilBarrier = untilBarrier;
        this.atMost = atMost;
    }

    /**
     * Returns a stage that completes once a read of the partition sees every write acknowledged
     * before this call, with the last change it sees. It fails with a retryable {@link
     * ApiException}, and completes on a thread that must not be blocked.
     */
    public CompletionStage<Position> current(TableDefinition table, int partition) {
        BaseProgress progress =
                board.base(table.id(), partition).filter(BaseProgress::isOpen).orElse(null);
        if (progress == null) {
            return CompletableFuture.failedFuture(Texts.notHere());
        }
        return ends.end(table.topics().writes(), partition)
                .thenCompose(end -> applied(table, progress, end))
                .thenApply(applied -> progress.position());
    }

    private CompletionStage<Void> applied(TableDefinition table, BaseProgress progress, long end) {
        CompletableFuture<Long> reached = progress.applied().reaches(end);
        if (reached.isDone() && !reached.isCompletedExceptionally()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletionStage<Long> waiting = reached;
        waiting.whenComplete((value, failure) -> settle(done, failure));
        CompletableFuture.delayedExecutor(untilBarrier.toNanos(), TimeUnit.NANOSECONDS)
                .execute(
                        () -> {
                            if (!done.isDone()) {
                                appendBarrier(table, progress.partition());
                            }
                        });
        return done.orTimeout(atMost.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(
                        failure -> {
                            Throwable cause =
                                    failure instanceof CompletionException
                                                    && failure.getCause() != null
                                            ? failure.getCause()
                                            : failure;
                            return CompletableFuture.failedFuture(
                                    cause instanceof ApiException ? cause : Texts.behind());
                        });
    }

    private void appendBarrier(TableDefinition table, int partition) {
        log.appendTo(table, partition, new Write.Barrier())
                .whenComplete(
                        (offset, failure) -> {
                            if (failure != null) {
                                LOGGER.atWarn()
                                        .setCause(failure)
                                        .addKeyValue("table", table.name())
                                        .addKeyValue("partition", partition)
                                        .log("barrier can't be appended");
                            }
                        });
    }

    private static void settle(CompletableFuture<Void> done, @Nullable Throwable failure) {
        if (failure == null) {
            done.complete(null);
        } else if (failure instanceof PartitionMovedException) {
            done.completeExceptionally(Texts.notHere());
        } else {
            done.completeExceptionally(Texts.behind());
        }
    }
}
