package dev.tidemark.benchmarks;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The data that is measured with: readings of 300 bytes (by DynamoDB's arithmetic) with eight or
 * nine attributes, in a table with a local index and two global ones, one of them sparse.
 *
 * <p>Everything in a reading follows from its number.
 */
final class SensorReadings {

    static final String SENSOR_ID = "sensorId";
    static final String MEASURED_AT = "measuredAt";
    static final String BUILDING_ID = "buildingId";
    static final String QUALITY_SCORE = "qualityScore";
    static final String SEVERITY = "severity";
    static final String TEMPERATURE = "temperature";

    static final KeySchema KEY =
            KeySchema.composite(
                    new KeyAttribute(SENSOR_ID, KeyType.S),
                    new KeyAttribute(MEASURED_AT, KeyType.S));

    static final TableDefinition TABLE =
            new TableDefinition(
                    new TableName("SensorReadings"),
                    new TableId("abcdefgh"),
                    KEY,
                    List.of(
                            new LocalIndex(
                                    new IndexName("byQuality"),
                                    1,
                                    KeySchema.composite(
                                            new KeyAttribute(SENSOR_ID, KeyType.S),
                                            new KeyAttribute(QUALITY_SCORE, KeyType.N)),
                                    new Projection.All())),
                    List.of(
                            global("bySeverity", SEVERITY, new Projection.All()),
                            global("byBuilding", BUILDING_ID, new Projection.All())),
                    2,
                    BillingMode.PAY_PER_REQUEST,
                    Throughput.NONE,
                    Map.of(),
                    false,
                    Instant.EPOCH,
                    TableStatus.ACTIVE);

    private static final int SENSORS = 1_000;
    private static final int BUILDINGS = 50;
    private static final int SEVERITY_EVERY = 20;
    private static final int SIZE = 300;
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> STATUSES =
            List.of("OK", "OK", "OK", "DEGRADED", "CALIBRATING");
    private static final List<String> SEVERITIES = List.of("WARNING", "MAJOR", "CRITICAL");

    private SensorReadings() {}

    /** Returns reading {@code number}: of sensor {@code number} modulo 1,000, a minute apart. */
    static Item reading(long number) {
        SplittableRandom random = new SplittableRandom(number);
        long sensor = number % SENSORS;
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put(SENSOR_ID, string(String.format(Locale.ROOT, "sensor-%06d", sensor)));
        attributes.put(MEASURED_AT, string(measuredAt(sensor, number / SENSORS)));
        attributes.put(
                BUILDING_ID,
                string(String.format(Locale.ROOT, "building-%02d", sensor % BUILDINGS)));
        attributes.put(
                TEMPERATURE,
                number(
                        String.format(
                                Locale.ROOT,
                                "%d.%02d",
                                15 + random.nextInt(16),
                                random.nextInt(100))));
        attributes.put("humidity", number(Integer.toString(20 + random.nextInt(70))));
        attributes.put(QUALITY_SCORE, number(Integer.toString(random.nextInt(100))));
        attributes.put("status", string(STATUSES.get(random.nextInt(STATUSES.size()))));
        if (random.nextInt(SEVERITY_EVERY) == 0) {
            attributes.put(SEVERITY, string(SEVERITIES.get(random.nextInt(SEVERITIES.size()))));
        }
        attributes.put("note", string(""));
        int note = SIZE - new Item(attributes).size();
        attributes.put("note", string(text(random, note)));
        return new Item(attributes);
    }

    /** Returns the primary key of a reading. */
    static PrimaryKey keyOf(Item reading) {
        return KEY.keyOf(reading).orElseThrow();
    }

    /** Returns {@code reading} with one attribute changed. */
    static Item with(Item reading, String attribute, AttributeValue value) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(reading.attributes());
        attributes.put(attribute, value);
        return new Item(attributes);
    }

    static AttributeValue string(String value) {
        return new AttributeValue.S(value);
    }

    static AttributeValue number(String value) {
        return new AttributeValue.N(Decimal.parse(value));
    }

    private static String measuredAt(long sensor, long sequence) {
        Instant time = FIRST.plus(sequence, ChronoUnit.MINUTES).plusMillis(sensor);
        // always with milliseconds, so that the order of the texts is the order of the times
        return time.truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", "")
                + String.format(Locale.ROOT, ".%03dZ", time.toEpochMilli() % 1_000);
    }

    private static String text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int at = 0; at < length; at++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static GlobalIndex global(String name, String partition, Projection projection) {
        return new GlobalIndex(
                new IndexName(name),
                1,
                KeySchema.composite(
                        new KeyAttribute(partition, KeyType.S),
                        new KeyAttribute(MEASURED_AT, KeyType.S)),
                projection,
                Throughput.NONE,
                IndexStatus.ACTIVE);
    }
}
