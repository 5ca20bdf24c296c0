package dev.tidemark.query.catalog;

import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.record.InvalidRecordException;
import dev.tidemark.query.record.JsonRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * A command as it stands in the log.
 *
 * @param request tells the proposal from every other
 * @param command what is proposed
 */
record CatalogRecord(String request, CatalogCommand command) {

    /*
     * Format: one JSON object a record, UTF-8.
     *
     *   {"v": 1, "request": "<uuid>", "kind": "<kind>", ...}
     *
     * kind                   its fields
     * create-table           definition
     * mark-table-active      table
     * start-deleting-table   table
     * forget-table           table
     * update-table           table, changes: [{"kind": ..., ...}]
     *   add-index              index, key, projection, readUnits, writeUnits, capacity, [at],
     *                          [atOnce]
     *   start-deleting-index   index, [atOnce]
     *   start-next-generation  index, [key], [projection], takesOver, keepsPrevious, at, atOnce
     *   switch-generation      index
     *   roll-back-generation   index
     *   discard-generation     index, purpose
     *   set-backfill           index, [paused], [rateLimit]; a limit of 0 goes
     *   set-billing            mode, readUnits, writeUnits, at
     *   set-index-throughput   index, readUnits, writeUnits, at
     *   set-capacity           [index], capacity; a bound of -1 goes
     *   set-table-class        class, at
     *   set-deletion-protection  enabled
     *   set-time-to-live       attribute, enabled
     * set-index-target       table, index, generation, sequences: [number]
     * mark-index-active      table, index, generation, [at], [held]
     * forget-index           table, index, generation
     * tag-table              table, tags: {"key": "value"}
     * untag-table            table, keys: ["key"]
     *
     * "table" is a table id. A definition is
     *   {"name", "id", "key", "localIndexes": [{"name", "id", "key", "projection"}],
     *    "globalIndexes": [{"name", "generation", "key", "projection", "readUnits", "writeUnits"}],
     *    "partitions", "billing", "readUnits", "writeUnits", "tags", "deletionProtection",
     *    "createdAt": epoch milliseconds, "itemCollectionLimit": bytes, ["class"], capacity},
     * capacity stands for the fields "mostReads", "mostWrites", "warmReads", "warmWrites", each if
     * it is given, also of a global index;
     * a key {"partition": [{"name", "type"}], "sort": [...]}, a projection
     * {"kind": "ALL" | "KEYS_ONLY" | "INCLUDE", "names": [...]}.
     *
     * Evolution: a reader ignores fields it does not know, so a new field must be harmless to those
     * who ignore it. What older nodes must not ignore gets a new kind or a higher "v"; they stop
     * at it, since a replica that leaves out a command no longer agrees with the others.
     */

    private static final int VERSION = 1;

    /** Returns the record as bytes. */
    byte[] toBytes() {
        JsonRecord.Builder out = JsonRecord.builder().number("v", VERSION).text("request", request);
        write(out);
        return out.build().toBytes();
    }

    /**
     * Reads a record.
     *
     * @throws NewerRecordException if a newer release wrote it
     * @throws InvalidRecordException if it is no record of the catalog
     */
    static CatalogRecord parse(byte[] bytes) {
        JsonRecord in = JsonRecord.parse(bytes);
        long version = in.number("v");
        if (version > VERSION) {
            throw new NewerRecordException("version " + version);
        }
        try {
            return new CatalogRecord(in.text("request"), readCommand(in));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new InvalidRecordException("Catalog record holds an illegal value", e);
        }
    }

    // A chain of instanceof, as Java 17 has no switch over types; it ends in an exception, and the
    // round-trip test covers every kind.
    private void write(JsonRecord.Builder out) {
        if (command instanceof CatalogCommand.CreateTable create) {
            out.text("kind", "create-table")
                    .object("definition", DefinitionFormat.definition(create.definition()));
            return;
        }
        if (command instanceof CatalogCommand.MarkTableActive) {
            out.text("kind", "mark-table-active");
        } else if (command instanceof CatalogCommand.StartDeletingTable) {
            out.text("kind", "start-deleting-table");
        } else if (command instanceof CatalogCommand.ForgetTable) {
            out.text("kind", "forget-table");
        } else if (command instanceof CatalogCommand.UpdateTable update) {
            out.text("kind", "update-table")
                    .objects(
                            "changes",
                            update.changes().stream().map(CatalogRecord::change).toList());
        } else if (command instanceof CatalogCommand.SetIndexTarget set) {
            out.text("kind", "set-index-target")
                    .text("index", set.index().value())
                    .number("generation", set.generation())
                    .numbers("sequences", set.sequences());
        } else if (command instanceof CatalogCommand.MarkIndexActive mark) {
            out.text("kind", "mark-index-active")
                    .text("index", mark.index().value())
                    .number("generation", mark.generation());
            mark.at().ifPresent(at -> out.number("at", at.toEpochMilli()));
            out.flag("held", mark.held());
        } else if (command instanceof CatalogCommand.ForgetIndex forget) {
            out.text("kind", "forget-index")
                    .text("index", forget.index().value())
                    .number("generation", forget.generation());
        } else if (command instanceof CatalogCommand.TagTable tag) {
            out.text("kind", "tag-table").textMap("tags", tag.tags());
        } else if (command instanceof CatalogCommand.UntagTable untag) {
            out.text("kind", "untag-table").texts("keys", untag.keys());
        } else {
            throw new IllegalStateException("Command has no record form");
        }
        out.text("table", command.table().value());
    }

    private static CatalogCommand readCommand(JsonRecord in) {
        String kind = in.text("kind");
        return switch (kind) {
            case "create-table" ->
                    new CatalogCommand.CreateTable(
                            DefinitionFormat.definition(in.object("definition")));
            case "mark-table-active" -> new CatalogCommand.MarkTableActive(table(in));
            case "start-deleting-table" -> new CatalogCommand.StartDeletingTable(table(in));
            case "forget-table" -> new CatalogCommand.ForgetTable(table(in));
            case "update-table" ->
                    new CatalogCommand.UpdateTable(
                            table(in),
                            in.objects("changes").stream().map(CatalogRecord::change).toList());
            case "mark-index-active" ->
                    new CatalogCommand.MarkIndexActive(
                            table(in),
                            index(in),
                            in.smallNumber("generation"),
                            optionalAt(in),
                            in.optionalFlag("held").orElse(false));
            case "set-index-target" ->
                    new CatalogCommand.SetIndexTarget(
                            table(in),
                            index(in),
                            in.smallNumber("generation"),
                            in.numbers("sequences"));
            case "forget-index" ->
                    new CatalogCommand.ForgetIndex(
                            table(in), index(in), in.smallNumber("generation"));
            case "tag-table" -> new CatalogCommand.TagTable(table(in), in.textMap("tags"));
            case "untag-table" ->
                    new CatalogCommand.UntagTable(table(in), new LinkedHashSet<>(in.texts("keys")));
            default -> throw new NewerRecordException("kind " + kind);
        };
    }

    private static JsonRecord change(TableChange change) {
        JsonRecord.Builder out = JsonRecord.builder();
        if (change instanceof TableChange.AddIndex add) {
            out.text("kind", "add-index")
                    .text("index", add.name().value())
                    .object("key", DefinitionFormat.key(add.key()))
                    .object("projection", DefinitionFormat.projection(add.projection()));
            DefinitionFormat.throughput(out, add.throughput());
            DefinitionFormat.capacity(out, add.capacity());
            add.at().ifPresent(at -> out.number("at", at.toEpochMilli()));
            out.number("atOnce", add.atOnce());
        } else if (change instanceof TableChange.StartDeletingIndex delete) {
            out.text("kind", "start-deleting-index")
                    .text("index", delete.name().value())
                    .number("atOnce", delete.atOnce());
        } else if (change instanceof GenerationChange.StartNextGeneration next) {
            out.text("kind", "start-next-generation").text("index", next.name().value());
            next.key().ifPresent(key -> out.object("key", DefinitionFormat.key(key)));
            next.projection()
                    .ifPresent(kept -> out.object("projection", DefinitionFormat.projection(kept)));
            out.flag("takesOver", next.takesOver())
                    .flag("keepsPrevious", next.keepsPrevious())
                    .number("at", next.at().toEpochMilli())
                    .number("atOnce", next.atOnce());
        } else if (change instanceof GenerationChange.SwitchGeneration given) {
            out.text("kind", "switch-generation").text("index", given.name().value());
        } else if (change instanceof GenerationChange.RollBackGeneration given) {
            out.text("kind", "roll-back-generation").text("index", given.name().value());
        } else if (change instanceof GenerationChange.DiscardGeneration given) {
            out.text("kind", "discard-generation")
                    .text("index", given.name().value())
                    .text("purpose", given.purpose().name());
        } else if (change instanceof GenerationChange.SetBackfill set) {
            out.text("kind", "set-backfill").text("index", set.name().value());
            set.paused().ifPresent(paused -> out.flag("paused", paused));
            set.rateLimit().ifPresent(limit -> out.number("rateLimit", limit));
        } else if (change instanceof TableChange.SetBilling billing) {
            out.text("kind", "set-billing").text("mode", billing.mode().name());
            DefinitionFormat.throughput(out, billing.throughput());
            out.number("at", billing.at().toEpochMilli());
        } else if (change instanceof TableChange.SetIndexThroughput set) {
            out.text("kind", "set-index-throughput").text("index", set.name().value());
            DefinitionFormat.throughput(out, set.throughput());
            out.number("at", set.at().toEpochMilli());
        } else if (change instanceof TableChange.SetDeletionProtection protection) {
            out.text("kind", "set-deletion-protection").flag("enabled", protection.enabled());
        } else if (change instanceof TableChange.SetCapacity set) {
            out.text("kind", "set-capacity");
            set.index().ifPresent(index -> out.text("index", index.value()));
            set.mostReads().ifPresent(units -> out.number("mostReads", units));
            set.mostWrites().ifPresent(units -> out.number("mostWrites", units));
            set.warmReads().ifPresent(units -> out.number("warmReads", units));
            set.warmWrites().ifPresent(units -> out.number("warmWrites", units));
        } else if (change instanceof TableChange.SetTableClass set) {
            out.text("kind", "set-table-class")
                    .text("class", set.tableClass().name())
                    .number("at", set.at().toEpochMilli());
        } else if (change instanceof TableChange.SetTimeToLive timeToLive) {
            out.text("kind", "set-time-to-live")
                    .text("attribute", timeToLive.attribute())
                    .flag("enabled", timeToLive.enabled());
        } else {
            throw new IllegalStateException("Change has no record form");
        }
        return out.build();
    }

    private static TableChange change(JsonRecord in) {
        String kind = in.text("kind");
        return switch (kind) {
            case "add-index" ->
                    new TableChange.AddIndex(
                            index(in),
                            DefinitionFormat.key(in.object("key")),
                            DefinitionFormat.projection(in.object("projection")),
                            DefinitionFormat.throughput(in),
                            DefinitionFormat.capacity(in),
                            optionalAt(in),
                            atOnce(in));
            case "start-deleting-index" ->
                    new TableChange.StartDeletingIndex(index(in), atOnce(in));
            case "start-next-generation" ->
                    new GenerationChange.StartNextGeneration(
                            index(in),
                            in.optionalObject("key").map(DefinitionFormat::key),
                            in.optionalObject("projection").map(DefinitionFormat::projection),
                            in.flag("takesOver"),
                            in.flag("keepsPrevious"),
                            at(in),
                            atOnce(in));
            case "switch-generation" -> new GenerationChange.SwitchGeneration(index(in));
            case "roll-back-generation" -> new GenerationChange.RollBackGeneration(index(in));
            case "discard-generation" ->
                    new GenerationChange.DiscardGeneration(
                            index(in), SpareGeneration.Purpose.valueOf(in.text("purpose")));
            case "set-backfill" ->
                    new GenerationChange.SetBackfill(
                            index(in),
                            in.optionalFlag("paused"),
                            DefinitionFormat.units(in, "rateLimit"));
            case "set-billing" ->
                    new TableChange.SetBilling(
                            BillingMode.valueOf(in.text("mode")),
                            DefinitionFormat.throughput(in),
                            at(in));
            case "set-index-throughput" ->
                    new TableChange.SetIndexThroughput(
                            index(in), DefinitionFormat.throughput(in), at(in));
            case "set-capacity" ->
                    new TableChange.SetCapacity(
                            in.optionalText("index").map(IndexName::new),
                            DefinitionFormat.units(in, "mostReads"),
                            DefinitionFormat.units(in, "mostWrites"),
                            DefinitionFormat.units(in, "warmReads"),
                            DefinitionFormat.units(in, "warmWrites"));
            case "set-table-class" ->
                    new TableChange.SetTableClass(TableClass.valueOf(in.text("class")), at(in));
            case "set-deletion-protection" ->
                    new TableChange.SetDeletionProtection(in.flag("enabled"));
            case "set-time-to-live" ->
                    new TableChange.SetTimeToLive(in.text("attribute"), in.flag("enabled"));
            default -> throw new NewerRecordException("kind of change " + kind);
        };
    }

    /** Returns when a command was given; older releases did not say. */
    private static Instant at(JsonRecord in) {
        return Instant.ofEpochMilli(in.optionalNumber("at").orElse(0L));
    }

    private static Optional<Instant> optionalAt(JsonRecord in) {
        return in.optionalNumber("at").map(Instant::ofEpochMilli);
    }

    /** Returns how many indexes may be made or removed at once; in older releases it was one. */
    private static int atOnce(JsonRecord in) {
        return in.optionalNumber("atOnce").map(Math::toIntExact).orElse(1);
    }

    private static TableId table(JsonRecord in) {
        return new TableId(in.text("table"));
    }

    private static IndexName index(JsonRecord in) {
        return new IndexName(in.text("index"));
    }
}
