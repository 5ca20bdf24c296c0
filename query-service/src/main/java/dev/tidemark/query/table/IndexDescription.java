package dev.tidemark.query.table;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.routing.LagView;
import java.util.List;
import java.util.Optional;

/**
 * Writes what there is to tell of a global index beyond DynamoDB's descriptions: all its
 * generations, how far each trails the table, and how far it is filled.
 */
final class IndexDescription {

    private final BackfillWatch backfills;
    private final LagView lags;
    private final BackPressure pressure;

    IndexDescription(BackfillWatch backfills, LagView lags, BackPressure pressure) {
        this.backfills = backfills;
        this.lags = lags;
        this.pressure = pressure;
    }

    /** Writes the table's name, and every generation of the indexes named. */
    void write(TableDefinition table, List<IndexName> names, JsonWriter out) {
        out.member("TableName", table.name().value());
        out.member("TableStatus", table.status().name());
        out.name("Indexes").beginArray();
        for (GlobalIndex index : table.globalIndexes()) {
            if (names.contains(index.name())) {
                write(table, index, Optional.empty(), out);
            }
        }
        for (SpareGeneration spare : table.options().spares()) {
            if (names.contains(spare.index().name())) {
                write(table, spare.index(), Optional.of(spare), out);
            }
        }
        out.endArray();
    }

    private void write(
            TableDefinition table,
            GlobalIndex index,
            Optional<SpareGeneration> spare,
            JsonWriter out) {
        out.beginObject();
        out.member("IndexName", index.name().value());
        out.member("Generation", index.generation());
        out.member("Purpose", spare.map(one -> one.purpose().name()).orElse("SERVING"));
        out.member("IndexStatus", index.status().name());
        TableDescription.writeKeySchema(index.key(), out);
        TableDescription.writeProjection(index.projection(), out);
        spare.filter(one -> one.purpose() == SpareGeneration.Purpose.NEXT)
                .ifPresent(
                        next ->
                                out.member("TakesOver", next.takesOver())
                                        .member("KeepsPrevious", next.keepsPrevious()));
        if (index.status().isMaintained()) {
            Optional<IndexLag> lag = lags.lag(table, index);
            if (lag.isPresent()) {
                out.name("Lag").beginObject();
                out.member("Changes", lag.get().changes());
                out.member("Milliseconds", lag.get().age().toMillis());
                out.endObject();
            }
        }
        if (spare.isEmpty()) {
            writeLate(table, index, "Late", out);
        }
        backfills
                .counts(table, index)
                .ifPresent(
                        counts -> {
                            counts.entries()
                                    .ifPresent(entries -> out.member("ItemsIndexed", entries));
                            out.member("ItemsSkipped", counts.skipped());
                        });
        writeBackfill(table, index, "Backfill", out);
        out.endObject();
    }

    /** Writes as a member of this name that an index trails its table by too much, if it does. */
    void writeLate(TableDefinition table, GlobalIndex index, String name, JsonWriter out) {
        pressure.lateIndexes(table.id()).stream()
                .filter(late -> late.index().equals(index.name()))
                .findFirst()
                .ifPresent(
                        late -> {
                            out.name(name).beginObject();
                            out.member("Changes", late.lag().changes());
                            out.member("Milliseconds", late.lag().age().toMillis());
                            out.member("ThrottlesWrites", late.throttles());
                            out.endObject();
                        });
    }

    /** Writes how far an index is filled as a member of this name, if there is anything to tell. */
    void writeBackfill(TableDefinition table, GlobalIndex index, String name, JsonWriter out) {
        Optional<Backfill> known = backfills.of(table, index);
        if (known.isEmpty()) {
            return;
        }
        Backfill backfill = known.get();
        IndexBuild build = index.build();
        out.name(name).beginObject();
        out.member("Percent", backfill.percent());
        out.member("ChangesApplied", backfill.done());
        backfill.total().ifPresent(total -> out.member("ChangesTotal", total));
        out.member("ChangesPerSecond", (double) Math.round(backfill.perSecond() * 10) / 10);
        backfill.remaining()
                .ifPresent(time -> out.member("SecondsRemaining", time.toMillis() / 1e3));
        build.startedAt().ifPresent(at -> TableDescription.writeTime("StartedAt", at, out));
        build.finishedAt().ifPresent(at -> TableDescription.writeTime("FinishedAt", at, out));
        out.member("Paused", build.paused());
        if (build.rateLimit().isPresent()) {
            out.member(
                    "RateLimit",
                    build.rateLimit().getAsLong() == Long.MAX_VALUE
                            ? IndexOperations.UNLIMITED
                            : build.rateLimit().getAsLong());
        }
        out.endObject();
    }
}
