package dev.tidemark.benchmarks;

import dev.tidemark.base.apply.CommandApplication;
import dev.tidemark.base.apply.Decision;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Deciding what a write does, without the store. */
@State(Scope.Thread)
public class CommandApplicationBenchmark {

    private final Item reading = SensorReadings.reading(4_321);
    private final CommandApplication application =
            new CommandApplication(
                    SensorReadings.TABLE,
                    CommandApplication.definitionAtCreation(SensorReadings.TABLE),
                    TimeToLive.NEVER);
    private final Write put = new Write.PutItem(reading, Optional.empty(), Placeholders.NONE);
    private final Write putIfAbsent =
            new Write.PutItem(
                    reading, Optional.of("attribute_not_exists(sensorId)"), Placeholders.NONE);
    private final Write update =
            new Write.UpdateItem(
                    SensorReadings.KEY.toItem(SensorReadings.keyOf(reading)),
                    Optional.of("SET #s = :s, temperature = :t ADD readCount :one"),
                    Optional.empty(),
                    new Placeholders(
                            Map.of("#s", "status"),
                            Map.of(
                                    ":s", SensorReadings.string("DEGRADED"),
                                    ":t", SensorReadings.number("21.75"),
                                    ":one", SensorReadings.number("1"))));

    /** A PutItem of a new item. */
    @Benchmark
    public Decision putNew() {
        return application.decide(put, Optional.empty());
    }

    /** A PutItem that must find nothing. */
    @Benchmark
    public Decision putIfAbsent() {
        return application.decide(putIfAbsent, Optional.empty());
    }

    /** An UpdateItem of three attributes. */
    @Benchmark
    public Decision update() {
        return application.decide(update, Optional.of(reading));
    }
}
