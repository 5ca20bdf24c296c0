package dev.tidemark.model.write;

import dev.tidemark.model.table.TableDefinition;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where commands are put to be applied, in the order of their partition. Thread-safe. */
public interface WriteLog {

    /**
     * Appends {@code write} to the partition its key falls into and waits for its outcome on this
     * node.
     *
     * <p>The stage fails with an {@link dev.tidemark.model.error.ApiException} that is retryable:
     * before anything is appended if the log has no room, or, if the outcome does not come in time,
     * with the write perhaps applied. It completes on a thread that must not be blocked.
     */
    CompletionStage<WriteOutcome> append(TableDefinition table, Write write);

    /**
     * Appends {@code write}, which is no request, to one partition and returns once the log has it,
     * without waiting for it to be applied. The result is its offset.
     */
    CompletionStage<Long> appendTo(TableDefinition table, int partition, Write write);

    /**
     * Fails whatever waits for outcomes of these partitions of {@code table}: they have left this
     * node.
     */
    void partitionsLost(TableDefinition table, List<Integer> partitions);
}
