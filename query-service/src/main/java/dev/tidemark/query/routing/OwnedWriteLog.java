package dev.tidemark.query.routing;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.PartitionRef;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log that takes a write only where its outcome will be told: on the node that has the partition
 * open. Elsewhere it refuses at once with a ServiceUnavailable, nothing appended, so that the
 * request may be sent again safely.
 */
public final class OwnedWriteLog implements WriteLog {

    private final WriteLog log;
    private final LocalPartitions local;

    public OwnedWriteLog(WriteLog log, ProgressBoard board) {
        this.log = log;
        this.local = new LocalPartitions(board);
    }

    @Override
    public CompletionStage<WriteOutcome> append(TableDefinition table, Write write) {
        Optional<PrimaryKey> key = write.addressed().flatMap(table.key()::keyOf);
        if (key.isPresent() && !local.isOpen(partition(table, key.get()))) {
            return CompletableFuture.failedFuture(
                    new ApiException(
                            ApiError.SERVICE_UNAVAILABLE,
                            "This node does not serve the partition now; nothing was written. Try"
                                    + " again."));
        }
        return log.append(table, write);
    }

    @Override
    public CompletionStage<Long> appendTo(TableDefinition table, int partition, Write write) {
        return log.appendTo(table, partition, write);
    }

    @Override
    public void partitionsLost(TableDefinition table, List<Integer> partitions) {
        log.partitionsLost(table, partitions);
    }

    private static PartitionRef.OfTable partition(TableDefinition table, PrimaryKey key) {
        return new PartitionRef.OfTable(
                table.id(),
                Partitioning.partition(
                        Partitioning.recordKey(key.partition()), table.partitions()));
    }
}
