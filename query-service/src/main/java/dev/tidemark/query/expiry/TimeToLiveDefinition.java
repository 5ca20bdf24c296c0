package dev.tidemark.query.expiry;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Telling the log of a table whether and how its items expire. */
public final class TimeToLiveDefinition {

    private TimeToLiveDefinition() {}

    /**
     * Appends the table's setting to each of its partitions; done once all have it. It may be done
     * again, and by several nodes: the setting's version tells repeats.
     */
    public static CompletableFuture<Void> append(WriteLog log, TableDefinition table) {
        Write define = new Write.DefineTimeToLive(table.options().timeToLive());
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int partition = 0; partition < table.partitions(); partition++) {
            appends.add(log.appendTo(table, partition, define).toCompletableFuture());
        }
        return CompletableFuture.allOf(appends.toArray(new CompletableFuture<?>[0]));
    }
}
