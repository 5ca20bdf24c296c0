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
import dev.tidemark.query.record.JsonRecord;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** Table definitions and their parts as they stand in records of the catalog. */
final class DefinitionFormat {

    private DefinitionFormat() {}

    static JsonRecord definition(TableDefinition table) {
        JsonRecord.Builder out =
                JsonRecord.builder()
                        .text("name", table.name().value())
                        .text("id", table.id().value())
                        .object("key", key(table.key()))
                        .objects(
                                "localIndexes",
                                table.localIndexes().stream()
                                        .map(DefinitionFormat::localIndex)
                                        .toList())
                        .objects(
                                "globalIndexes",
                                table.globalIndexes().stream()
                                        .map(DefinitionFormat::globalIndex)
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

    static TableDefinition definition(JsonRecord in) {
        return new TableDefinition(
                new TableName(in.text("name")),
                new TableId(in.text("id")),
                key(in.object("key")),
                in.objects("localIndexes").stream().map(DefinitionFormat::localIndex).toList(),
                in.objects("globalIndexes").stream().map(DefinitionFormat::globalIndex).toList(),
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
    static TableOptions options(JsonRecord in) {
        return TableOptions.DEFAULT
                .withItemCollectionLimit(
                        in.optionalNumber("itemCollectionLimit")
                                .orElse(TableOptions.DEFAULT_ITEM_COLLECTION_LIMIT))
                .withCapacity(capacity(in))
                .withTableClass(in.optionalText("class").map(TableClass::valueOf));
    }

    static JsonRecord localIndex(LocalIndex index) {
        return JsonRecord.builder()
                .text("name", index.name().value())
                .number("id", index.id())
                .object("key", key(index.key()))
                .object("projection", projection(index.projection()))
                .build();
    }

    static LocalIndex localIndex(JsonRecord in) {
        return new LocalIndex(
                new IndexName(in.text("name")),
                in.smallNumber("id"),
                key(in.object("key")),
                projection(in.object("projection")));
    }

    static JsonRecord globalIndex(GlobalIndex index) {
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

    static GlobalIndex globalIndex(JsonRecord in) {
        return new GlobalIndex(
                new IndexName(in.text("name")),
                in.smallNumber("generation"),
                key(in.object("key")),
                projection(in.object("projection")),
                throughput(in),
                IndexStatus.CREATING,
                capacity(in));
    }

    static JsonRecord key(KeySchema key) {
        return JsonRecord.builder()
                .objects(
                        "partition",
                        key.partition().stream().map(DefinitionFormat::attribute).toList())
                .objects("sort", key.sort().stream().map(DefinitionFormat::attribute).toList())
                .build();
    }

    static KeySchema key(JsonRecord in) {
        return new KeySchema(
                in.objects("partition").stream().map(DefinitionFormat::attribute).toList(),
                in.objects("sort").stream().map(DefinitionFormat::attribute).toList());
    }

    static JsonRecord attribute(KeyAttribute attribute) {
        return JsonRecord.builder()
                .text("name", attribute.name())
                .text("type", attribute.type().name())
                .build();
    }

    static KeyAttribute attribute(JsonRecord in) {
        return new KeyAttribute(in.text("name"), KeyType.valueOf(in.text("type")));
    }

    static JsonRecord projection(Projection projection) {
        JsonRecord.Builder out = JsonRecord.builder();
        if (projection instanceof Projection.Include include) {
            return out.text("kind", "INCLUDE").texts("names", include.names()).build();
        }
        return out.text("kind", projection instanceof Projection.All ? "ALL" : "KEYS_ONLY").build();
    }

    static Projection projection(JsonRecord in) {
        String kind = in.text("kind");
        return switch (kind) {
            case "ALL" -> new Projection.All();
            case "KEYS_ONLY" -> new Projection.KeysOnly();
            case "INCLUDE" -> new Projection.Include(List.copyOf(in.texts("names")));
            default -> throw new NewerRecordException("kind of projection " + kind);
        };
    }

    static void throughput(JsonRecord.Builder out, Throughput throughput) {
        out.number("readUnits", throughput.readUnits())
                .number("writeUnits", throughput.writeUnits());
    }

    static Throughput throughput(JsonRecord in) {
        return new Throughput(in.number("readUnits"), in.number("writeUnits"));
    }

    /** What is asked at creation; the rest comes with later commands. */
    static void capacity(JsonRecord.Builder out, CapacityOptions capacity) {
        capacity.mostReads().ifPresent(units -> out.number("mostReads", units));
        capacity.mostWrites().ifPresent(units -> out.number("mostWrites", units));
        if (!capacity.warm().equals(Throughput.NONE)) {
            out.number("warmReads", capacity.warm().readUnits())
                    .number("warmWrites", capacity.warm().writeUnits());
        }
    }

    static CapacityOptions capacity(JsonRecord in) {
        return CapacityOptions.NONE
                .withMost(units(in, "mostReads"), units(in, "mostWrites"))
                .withWarm(
                        new Throughput(
                                units(in, "warmReads").orElse(0),
                                units(in, "warmWrites").orElse(0)));
    }

    static OptionalLong units(JsonRecord in, String name) {
        return in.optionalNumber(name).stream().mapToLong(Long::longValue).findFirst();
    }
}
