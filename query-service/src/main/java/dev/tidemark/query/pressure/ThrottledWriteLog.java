package dev.tidemark.query.pressure;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A log that takes no writes of requests for a table with an index that can't keep up; nothing is
 * appended then, and the caller is told to try again. What the product itself has to say in a log
 * goes through.
 */
public final class ThrottledWriteLog implements WriteLog {

    /** Is told of writes that are held back. */
    @FunctionalInterface
    public interface Observer {

        /** Takes which index a write of the table was held back for. */
        void throttled(TableDefinition table, IndexName index);
    }

    private final WriteLog log;
    private final BackPressure pressure;
    private final Observer observer;

    public ThrottledWriteLog(WriteLog log, BackPressure pressure, Observer observer) {
        this.log = log;
        this.pressure = pressure;
        this.observer = observer;
    }

    @Override
    public CompletionStage<WriteOutcome> append(TableDefinition table, Write write) {
        Optional<LateIndex> late = pressure.holdingBack(table.id());
        if (late.isPresent()) {
            observer.throttled(table, late.get().index());
            return CompletableFuture.failedFuture(pressure.refusal(table, late.get()));
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
}
