package dev.tidemark.launcher.metrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.routing.LagView;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The lag of every global index as JSON, as {@code GET /lag} answers it:
 *
 * <pre>
 * {"tables":[{"table":"T","indexes":[{"index":"I","status":"ACTIVE","changes":0,"ageMillis":0,
 *   "partitions":[{"partition":0,"changes":0,"ageMillis":0}]}]}]}
 * </pre>
 *
 * <p>The partitions are those of the table. What is not known yet is absent. Thread-safe.
 */
public final class LagReport {

    private final Supplier<Collection<TableDefinition>> tables;
    private final LagView lags;

    public LagReport(Supplier<Collection<TableDefinition>> tables, LagView lags) {
        this.tables = tables;
        this.lags = lags;
    }

    /** Returns the report of now. */
    public String json() {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        ArrayNode list = report.putArray("tables");
        for (TableDefinition table : tables.get()) {
            ObjectNode described = list.addObject();
            described.put("table", table.name().value());
            described.put("status", table.status().name());
            ArrayNode indexes = described.putArray("indexes");
            for (GlobalIndex index : table.globalIndexes()) {
                ObjectNode entry = indexes.addObject();
                entry.put("index", index.name().value());
                entry.put("status", index.status().name());
                Optional<IndexLag> lag = lags.lag(table, index);
                lag.ifPresent(
                        known ->
                                entry.put("changes", known.changes())
                                        .put("ageMillis", known.age().toMillis()));
                lags.byBasePartition(table, index)
                        .ifPresent(known -> write(known, entry.putArray("partitions")));
            }
        }
        return report.toString();
    }

    private static void write(List<IndexLag> byPartition, ArrayNode out) {
        for (int partition = 0; partition < byPartition.size(); partition++) {
            IndexLag lag = byPartition.get(partition);
            out.addObject()
                    .put("partition", partition)
                    .put("changes", lag.changes())
                    .put("ageMillis", lag.age().toMillis());
        }
    }
}
