package dev.tidemark.benchmarks;

import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.KeyConditionExpression;
import dev.tidemark.expressions.KeyRange;
import dev.tidemark.expressions.UpdateExpression;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Expressions whose texts were met before: found in the cache, bound to values, evaluated. */
@State(Scope.Benchmark)
public class ExpressionBenchmark {

    private static final String CONDITION =
            "#s IN (:ok, :degraded) AND temperature BETWEEN :low AND :high"
                    + " AND (attribute_not_exists(severity) OR qualityScore >= :quality)";
    private static final String UPDATE =
            "SET #s = :ok, temperature = :low ADD readCount :one REMOVE severity";
    private static final String KEY_CONDITION =
            "sensorId = :sensor AND measuredAt BETWEEN :from AND :to";

    private final Item reading = SensorReadings.reading(4_321);
    private final Placeholders forCondition =
            new Placeholders(
                    Map.of("#s", "status"),
                    Map.of(
                            ":ok", SensorReadings.string("OK"),
                            ":degraded", SensorReadings.string("DEGRADED"),
                            ":low", SensorReadings.number("10"),
                            ":high", SensorReadings.number("35.5"),
                            ":quality", SensorReadings.number("50")));
    private final Placeholders forUpdate =
            new Placeholders(
                    Map.of("#s", "status"),
                    Map.of(
                            ":ok", SensorReadings.string("OK"),
                            ":low", SensorReadings.number("10"),
                            ":one", SensorReadings.number("1")));
    private final Placeholders forKey =
            new Placeholders(
                    Map.of(),
                    Map.of(
                            ":sensor", SensorReadings.string("sensor-000321"),
                            ":from", SensorReadings.string("2026-01-01T00:00:00.000Z"),
                            ":to", SensorReadings.string("2026-01-01T00:50:00.000Z")));

    /** A filter over four attributes. */
    @Benchmark
    public boolean filter() {
        return ConditionExpression.parse(CONDITION, ConditionExpression.Kind.FILTER)
                .bind(forCondition)
                .holdsFor(reading);
    }

    /** An update of four attributes. */
    @Benchmark
    public Item update() {
        return UpdateExpression.parse(UPDATE).bind(forUpdate).apply(reading);
    }

    /** A key condition, up to the range it means. */
    @Benchmark
    public KeyRange keyCondition() {
        return KeyConditionExpression.parse(KEY_CONDITION).bind(forKey).against(SensorReadings.KEY);
    }
}
