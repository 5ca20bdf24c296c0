package dev.tidemark.query.table;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableOptions;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.json.JsonWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Writes tables as DynamoDB's TableDescription. */
final class TableDescription {

    private final String region;
    private final InstantSource clock;
    private final TableStatistics statistics;
    private final IndexDescription indexes;

    TableDescription(
            String region,
            InstantSource clock,
            TableStatistics statistics,
            IndexDescription indexes) {
        this.region = region;
        this.clock = clock;
        this.statistics = statistics;
        this.indexes = indexes;
    }

    /** Writes the whole description. */
    void write(TableDefinition table, JsonWriter out) {
        out.beginObject();
        writeAttributeDefinitions(table, out);
        out.member("TableName", table.name().value());
        writeKeySchema(table.key(), out);
        out.member("TableStatus", table.status().name());
        writeTime("CreationDateTime", table.createdAt(), out);
        writeCommon(table, out);
        writeCapacity(table.billingMode(), table.throughput(), table.options().capacity(), out);
        writeTableClass(table.options(), out);
        writeList(
                "LocalSecondaryIndexes",
                table.localIndexes(),
                index -> writeLocal(table, index, out),
                out);
        writeList(
                "GlobalSecondaryIndexes",
                table.globalIndexes(),
                index -> writeGlobal(table, index, out),
                out);
        out.endObject();
    }

    /** Writes what DeleteTable tells of a table. */
    void writeDeleted(TableDefinition table, JsonWriter out) {
        out.beginObject();
        out.member("TableName", table.name().value());
        out.member("TableStatus", table.status().name());
        writeCommon(table, out);
        out.endObject();
    }

    private void writeCommon(TableDefinition table, JsonWriter out) {
        writeThroughput(table.throughput(), table.options().capacity(), out);
        TableStatistics.Size size = statistics.table(table);
        out.member("TableSizeBytes", size.bytes());
        out.member("ItemCount", size.items());
        out.member("TableArn", arn(table).toString());
        out.member("TableId", uuid(table));
        Optional<Instant> onDemandSince = table.options().onDemandSince();
        if (onDemandSince.isPresent()) {
            out.name("BillingModeSummary").beginObject();
            out.member("BillingMode", table.billingMode().name());
            writeTime("LastUpdateToPayPerRequestDateTime", onDemandSince.get(), out);
            out.endObject();
        }
        out.member("DeletionProtectionEnabled", table.deletionProtection());
    }

    private void writeLocal(TableDefinition table, LocalIndex index, JsonWriter out) {
        out.beginObject();
        out.member("IndexName", index.name().value());
        writeKeySchema(index.key(), out);
        writeProjection(index.projection(), out);
        writeIndexSize(statistics.index(table, index.name()), out);
        out.member("IndexArn", arn(table).index(index.name()));
        out.endObject();
    }

    private void writeGlobal(TableDefinition table, GlobalIndex index, JsonWriter out) {
        out.beginObject();
        out.member("IndexName", index.name().value());
        writeKeySchema(index.key(), out);
        writeProjection(index.projection(), out);
        out.member("IndexStatus", index.status().name());
        // an index made with its table has nothing to fill in
        if (index.status() == IndexStatus.CREATING && table.status() != TableStatus.CREATING) {
            out.member("Backfilling", true);
            // clients ignore members they do not know
            indexes.writeBackfill(table, index, "TidemarkBackfill", out);
        }
        indexes.writeLate(table, index, "TidemarkLate", out);
        writeThroughput(index.throughput(), index.capacity(), out);
        writeCapacity(table.billingMode(), index.throughput(), index.capacity(), out);
        writeIndexSize(statistics.index(table, index.name()), out);
        out.member("IndexArn", arn(table).index(index.name()));
        out.endObject();
    }

    private TableArn arn(TableDefinition table) {
        return new TableArn(region, table.name());
    }

    private static void writeAttributeDefinitions(TableDefinition table, JsonWriter out) {
        Map<String, KeyAttribute> attributes = new LinkedHashMap<>();
        collect(table.key(), attributes);
        table.localIndexes().forEach(index -> collect(index.key(), attributes));
        table.globalIndexes().forEach(index -> collect(index.key(), attributes));
        out.name("AttributeDefinitions").beginArray();
        attributes
                .values()
                .forEach(
                        attribute ->
                                out.beginObject()
                                        .member("AttributeName", attribute.name())
                                        .member("AttributeType", attribute.type().name())
                                        .endObject());
        out.endArray();
    }

    private static void collect(KeySchema key, Map<String, KeyAttribute> attributes) {
        key.attributes().forEach(attribute -> attributes.putIfAbsent(attribute.name(), attribute));
    }

    static void writeKeySchema(KeySchema key, JsonWriter out) {
        out.name("KeySchema").beginArray();
        key.partition().forEach(attribute -> writeKeyElement(attribute, "HASH", out));
        key.sort().forEach(attribute -> writeKeyElement(attribute, "RANGE", out));
        out.endArray();
    }

    private static void writeKeyElement(KeyAttribute attribute, String keyType, JsonWriter out) {
        out.beginObject()
                .member("AttributeName", attribute.name())
                .member("KeyType", keyType)
                .endObject();
    }

    static void writeProjection(Projection projection, JsonWriter out) {
        out.name("Projection").beginObject();
        if (projection instanceof Projection.Include include) {
            out.member("ProjectionType", "INCLUDE").name("NonKeyAttributes").beginArray();
            include.names().forEach(out::string);
            out.endArray();
        } else {
            out.member(
                    "ProjectionType", projection instanceof Projection.All ? "ALL" : "KEYS_ONLY");
        }
        out.endObject();
    }

    private void writeThroughput(Throughput throughput, CapacityOptions capacity, JsonWriter out) {
        out.name("ProvisionedThroughput").beginObject();
        capacity.raisedAt().ifPresent(at -> writeTime("LastIncreaseDateTime", at, out));
        capacity.loweredAt().ifPresent(at -> writeTime("LastDecreaseDateTime", at, out));
        out.member("NumberOfDecreasesToday", capacity.loweringsOn(clock.instant()));
        out.member("ReadCapacityUnits", throughput.readUnits());
        out.member("WriteCapacityUnits", throughput.writeUnits());
        out.endObject();
    }

    private static void writeCapacity(
            BillingMode billing, Throughput provisioned, CapacityOptions capacity, JsonWriter out) {
        boolean isBounded = capacity.mostReads().isPresent() || capacity.mostWrites().isPresent();
        if (billing == BillingMode.PAY_PER_REQUEST && isBounded) {
            out.name("OnDemandThroughput").beginObject();
            capacity.mostReads().ifPresent(units -> out.member("MaxReadRequestUnits", units));
            capacity.mostWrites().ifPresent(units -> out.member("MaxWriteRequestUnits", units));
            out.endObject();
        }
        Throughput warm = capacity.warmUnder(billing, provisioned);
        out.name("WarmThroughput").beginObject();
        out.member("ReadUnitsPerSecond", warm.readUnits());
        out.member("WriteUnitsPerSecond", warm.writeUnits());
        out.member("Status", "ACTIVE");
        out.endObject();
    }

    private static void writeTableClass(TableOptions options, JsonWriter out) {
        options.tableClass()
                .ifPresent(
                        given -> {
                            out.name("TableClassSummary").beginObject();
                            out.member("TableClass", given.name());
                            options.tableClassChangedAt()
                                    .ifPresent(at -> writeTime("LastUpdateDateTime", at, out));
                            out.endObject();
                        });
    }

    private static void writeIndexSize(TableStatistics.Size size, JsonWriter out) {
        out.member("IndexSizeBytes", size.bytes());
        out.member("ItemCount", size.items());
    }

    private static <T> void writeList(
            String name, List<T> elements, Consumer<T> write, JsonWriter out) {
        if (elements.isEmpty()) {
            return;
        }
        out.name(name).beginArray();
        elements.forEach(write);
        out.endArray();
    }

    static void writeTime(String name, Instant time, JsonWriter out) {
        // plain digits: not every client reads an exponent
        String seconds = BigDecimal.valueOf(time.toEpochMilli(), 3).toPlainString();
        out.name(name).raw(seconds.getBytes(StandardCharsets.US_ASCII));
    }

    private static String uuid(TableDefinition table) {
        return UUID.nameUUIDFromBytes(table.id().value().getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
