package dev.tidemark.launcher.metrics;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.verify.Verification;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What the last comparison of each index with its table found, on this node. Thread-safe. */
final class VerificationMetrics {

    private static final Map<String, ToDoubleFunction<Verification>> NUMBERS =
            Map.of(
                    "last.time.seconds",
                    last -> last.finishedAt().orElseThrow().toEpochMilli() / 1e3,
                    "missing",
                    Verification::missing,
                    "dangling",
                    Verification::dangling,
                    "different",
                    Verification::different,
                    "mended",
                    Verification::mended);

    private final MeterRegistry registry;
    private final Map<MultiGauge, ToDoubleFunction<Verification>> gauges = new LinkedHashMap<>();
    private final Map<IndexId, Verification> last = new ConcurrentHashMap<>();

    VerificationMetrics(MeterRegistry registry) {
        this.registry = registry;
        NUMBERS.forEach(
                (name, number) ->
                        gauges.put(
                                MultiGauge.builder("tidemark.index.verify." + name)
                                        .description(
                                                "Of the index's last comparison with its table on"
                                                        + " this node")
                                        .register(registry),
                                number));
    }

    /** Takes note of a comparison that is over. */
    void verified(Verification verification) {
        if (verification.isEqual().isPresent()) {
            last.put(verification.indexId(), verification);
        } else {
            registry.counter("tidemark.index.verify.failures", tags(verification)).increment();
        }
    }

    /** Tells of the indexes that there are. */
    void tell(Collection<TableDefinition> tables) {
        Set<IndexId> there =
                tables.stream()
                        .flatMap(
                                table ->
                                        table.generations().stream()
                                                .map(index -> IndexId.of(table, index)))
                        .collect(Collectors.toSet());
        last.keySet().retainAll(there);
        gauges.forEach(
                (gauge, number) ->
                        gauge.register(
                                last.values().stream()
                                        .<Row<?>>map(
                                                each ->
                                                        Row.of(
                                                                tags(each),
                                                                number.applyAsDouble(each)))
                                        .toList(),
                                true));
    }

    private static Tags tags(Verification verification) {
        IndexId index = verification.indexId();
        return Tags.of(
                "table",
                verification.tableName(),
                "index",
                index.index().value(),
                "generation",
                Integer.toString(index.generation()));
    }
}
