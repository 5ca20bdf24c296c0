package dev.tidemark.query.catalog;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableOptions;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.record.InvalidRecordException;
import dev.tidemark.query.record.JsonRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;

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
     *   add-index              index, key, projection, readUnits, writeUnits
     *   start-deleting-index   index
     *   set-billing            mode, readUnits, writeUnits
     *   set-index-throughput   index, readUnits, writeUnits
     *   set-deletion-protection  enabled
     * mark-index-active      table, index, generation
     * forget-index           table, index, generation
     * tag-table              table, tags: {"key": "value"}
     * untag-table            table, keys: ["key"]
     *
     * "table" is a table id. A definition is
     *   {"name", "id", "key", "localIndexes": [{"name", "id", "key", "projection"}],
     *    "globalIndexes": [{"name", "generation", "key", "projection", "readUnits", "writeUnits"}],
     *    "partitions", "billing", "readUnits", "writeUnits", "tags", "deletionProtection",
     *    "createdAt": epoch milliseconds},
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
            out.text("kind", "create-table").object("definition", definition(create.definition()));
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
        } else if (command instanceof CatalogCommand.MarkIndexActive mark) {
            out.text("kind", "mark-index-active")
                    .text("index", mark.index().value())
                    .number("generation", mark.generation());
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
                    new CatalogCommand.CreateTable(definition(in.object("definition")));
            case "mark-table-active" -> new CatalogCommand.MarkTableActive(table(in));
            case "start-deleting-table" -> new CatalogCommand.StartDeletingTable(table(in));
            case "forget-table" -> new CatalogCommand.ForgetTable(table(in));
            case "update-table" ->
                    new CatalogCommand.UpdateTable(
                            table(in),
                            in.objects("changes").stream().map(CatalogRecord::change).toList());
            case "mark-index-active" ->
                    new CatalogCommand.MarkIndexActive(
                            table(in), index(in), in.smallNumber("generation"));
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
                    .object("key", key(add.key()))
                    .object("projection", projection(add.projection()));
            throughput(out, add.throughput());
            capacity(out, add.capacity());
        } else if (change instanceof TableChange.StartDeletingIndex delete) {
            out.text("kind", "start-deleting-index").text("index", delete.name().value());
        } else if (change instanceof TableChange.SetBilling billing) {
            out.text("kind", "set-billing").text("mode", billing.mode().name());
            throughput(out, billing.throughput());
            out.number("at", billing.at().toEpochMilli());
        } else if (change instanceof TableChange.SetIndexThroughput set) {
            out.text("kind", "set-index-throughput").text("index", set.name().value());
            throughput(out, set.throughput());
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
                            key(in.object("key")),
                            projection(in.object("projection")),
                            throughput(in),
                            capacity(in));
            case "start-deleting-index" -> new TableChange.StartDeletingIndex(index(in));
            case "set-billing" ->
                    new TableChange.SetBilling(
                            BillingMode.valueOf(in.text("mode")), throughput(in), at(in));
            case "set-index-throughput" ->
                    new TableChange.SetIndexThroughput(index(in), throughput(in), at(in));
            case "set-capacity" ->
                    new TableChange.SetCapacity(
                            in.optionalText("index").map(IndexName::new),
                            units(in, "mostReads"),
                            units(in, "mostWrites"),
                            units(in, "warmReads"),
                            units(in, "warmWrites"));
            case "set-table-class" ->
                    new TableChange.SetTableClass(TableClass.valueOf(in.text("class")), at(in));
            case "set-deletion-protection" ->
                    new TableChange.SetDeletionProtection(in.flag("enabled"));
            case "set-time-to-live" ->
                    new TableChange.SetTimeToLive(in.text("attribute"), in.flag("enabled"));
            default -> throw new NewerRecordException("kind of change " + kind);
        };
    }

    private static JsonRecord definition(TableDefinition table) {
        JsonRecord.Builder out =
                JsonRecord.builder()
                        .text("name", table.name().value())
                        .text("id", table.id().value())
                        .object("key", key(table.key()))
                        .objects(
                                "localIndexes",
                                table.localIndexes().stream()
                                        .map(CatalogRecord::localIndex)
                                        .toList())
                        .objects(
                                "globalIndexes",
                                table.globalIndexes().stream()
                                        .map(CatalogRecord::globalIndex)
                                        .toList())
                        .number("partitions", table.partitions())
                        .text("billing", table.billingMode().name());
        throughput(out, table.throughput());
        capacity(out, table.options().capacity());
        table.options().tableClass().ifPresent(given -> out.text("class", given.name()));
        return out.textMap("tags", table.tags())
                .flag("deletionProtection", table.deletionProtection())
                .number("createdAt", table.createdAt().toEpochMilli())
                .number("itemCollectionLimit", table.options().itemCollectionLimit())
                .build();
    }

    private static TableDefinition definition(JsonRecord in) {
        return new TableDefinition(
                new TableName(in.text("name")),
                new TableId(in.text("id")),
                key(in.object("key")),
                in.objects("localIndexes").stream().map(CatalogRecord::localIndex).toList(),
                in.objects("globalIndexes").stream().map(CatalogRecord::globalIndex).toList(),
                in.smallNumber("partitions"),
                BillingMode.valueOf(in.text("billing")),
                throughput(in),
                in.textMap("tags"),
                in.flag("deletionProtection"),
                Instant.ofEpochMilli(in.number("createdAt")),
                TableStatus.CREATING,
                options(in));
    }

    /** What a definition of an older release lacks has the value it had then. */
    private static TableOptions options(JsonRecord in) {
        return TableOptions.DEFAULT
                .withItemCollectionLimit(
                        in.optionalNumber("itemCollectionLimit")
                                .orElse(TableOptions.DEFAULT_ITEM_COLLECTION_LIMIT))
                .withCapacity(capacity(in))
                .withTableClass(in.optionalText("class").map(TableClass::valueOf));
    }

    private static JsonRecord localIndex(LocalIndex index) {
        return JsonRecord.builder()
                .text("name", index.name().value())
                .number("id", index.id())
                .object("key", key(index.key()))
                .object("projection", projection(index.projection()))
                .build();
    }

    private static LocalIndex localIndex(JsonRecord in) {
        return new LocalIndex(
                new IndexName(in.text("name")),
                in.smallNumber("id"),
                key(in.object("key")),
                projection(in.object("projection")));
    }

    private static JsonRecord globalIndex(GlobalIndex index) {
        JsonRecord.Builder out =
                JsonRecord.builder()
                        .text("name", index.name().value())
                        .number("generation", index.generation())
                        .object("key", key(index.key()))
                        .object("projection", projection(index.projection()));
        throughput(out, index.throughput());
        capacity(out, index.capacity());
        return out.build();
    }

    private static GlobalIndex globalIndex(JsonRecord in) {
        return new GlobalIndex(
                new IndexName(in.text("name")),
                in.smallNumber("generation"),
                key(in.object("key")),
                projection(in.object("projection")),
                throughput(in),
                IndexStatus.CREATING,
                capacity(in));
    }

    private static JsonRecord key(KeySchema key) {
        return JsonRecord.builder()
                .objects(
                        "partition",
                        key.partition().stream().map(CatalogRecord::attribute).toList())
                .objects("sort", key.sort().stream().map(CatalogRecord::attribute).toList())
                .build();
    }

    private static KeySchema key(JsonRecord in) {
        return new KeySchema(
                in.objects("partition").stream().map(CatalogRecord::attribute).toList(),
                in.objects("sort").stream().map(CatalogRecord::attribute).toList());
    }

    private static JsonRecord attribute(KeyAttribute attribute) {
        return JsonRecord.builder()
                .text("name", attribute.name())
                .text("type", attribute.type().name())
                .build();
    }

    private static KeyAttribute attribute(JsonRecord in) {
        return new KeyAttribute(in.text("name"), KeyType.valueOf(in.text("type")));
    }

    private static JsonRecord projection(Projection projection) {
        JsonRecord.Builder out = JsonRecord.builder();
        if (projection instanceof Projection.Include include) {
            return out.text("kind", "INCLUDE").texts("names", include.names()).build();
        }
        return out.text("kind", projection instanceof Projection.All ? "ALL" : "KEYS_ONLY").build();
    }

    private static Projection projection(JsonRecord in) {
        String kind = in.text("kind");
        return switch (kind) {
            case "ALL" -> new Projection.All();
            case "KEYS_ONLY" -> new Projection.KeysOnly();
            case "INCLUDE" -> new Projection.Include(List.copyOf(in.texts("names")));
            default -> throw new NewerRecordException("kind of projection " + kind);
        };
    }

    private static void throughput(JsonRecord.Builder out, Throughput throughput) {
        out.number("readUnits", throughput.readUnits())
                .number("writeUnits", throughput.writeUnits());
    }

    private static Throughput throughput(JsonRecord in) {
        return new Throughput(in.number("readUnits"), in.number("writeUnits"));
    }

    /** What is asked at creation; the rest comes with later commands. */
    private static void capacity(JsonRecord.Builder out, CapacityOptions capacity) {
        capacity.mostReads().ifPresent(units -> out.number("mostReads", units));
        capacity.mostWrites().ifPresent(units -> out.number("mostWrites", units));
        if (!capacity.warm().equals(Throughput.NONE)) {
            out.number("warmReads", capacity.warm().readUnits())
                    .number("warmWrites", capacity.warm().writeUnits());
        }
    }

    private static CapacityOptions capacity(JsonRecord in) {
        return CapacityOptions.NONE
                .withMost(units(in, "mostReads"), units(in, "mostWrites"))
                .withWarm(
                        new Throughput(
                                units(in, "warmReads").orElse(0),
                                units(in, "warmWrites").orElse(0)));
    }

    private static OptionalLong units(JsonRecord in, String name) {
        return in.optionalNumber(name).stream().mapToLong(Long::longValue).findFirst();
    }

    /** Returns when a command was given; older releases did not say. */
    private static Instant at(JsonRecord in) {
        return Instant.ofEpochMilli(in.optionalNumber("at").orElse(0L));
    }

    private static TableId table(JsonRecord in) {
        return new TableId(in.text("table"));
    }

    private static IndexName index(JsonRecord in) {
        return new IndexName(in.text("index"));
    }
}
