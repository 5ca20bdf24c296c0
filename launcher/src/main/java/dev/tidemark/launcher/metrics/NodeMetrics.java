package dev.tidemark.launcher.metrics;

import dev.tidemark.base.BaseListener;
import dev.tidemark.base.RejectReason;
import dev.tidemark.gsi.IndexAppListener;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.ingest.AppendListener;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.expiry.ExpiryListener;
import dev.tidemark.query.http.RequestObserver;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.pressure.LateIndex;
import dev.tidemark.query.pressure.ThrottledWriteLog;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.query.routing.LagView;
import dev.tidemark.query.table.BackfillWatch;
import dev.tidemark.query.verify.Verification;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's metrics, in Prometheus's form. Thread-safe. */
public final class NodeMetrics
        implements AppendListener,
                RequestObserver,
                BaseListener,
                IndexAppListener,
                ExpiryListener,
                ThrottledWriteLog.Observer,
                AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(NodeMetrics.class);
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30)
    };

    private record Answer(String operation, String error) {}

    private static final Set<String> ITEM_OPERATIONS =
            Set.of(
                    "PutItem",
                    "GetItem",
                    "UpdateItem",
                    "DeleteItem",
                    "BatchGetItem",
                    "BatchWriteItem",
                    "Query",
                    "Scan");

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final VerificationMetrics verifications = new VerificationMetrics(registry);
    private final Map<Answer, Timer> requests = new ConcurrentHashMap<>();
    private final Function<TableId, String> tableNames;
    private final Timer append;
    private final MultiGauge lagChanges;
    private final MultiGauge lagSeconds;
    private final MultiGauge lagOfPartitions;
    private final MultiGauge backfillPercent;
    private final MultiGauge backfillRate;
    private final MultiGauge violations;
    private final MultiGauge lateIndexes;
    private final MultiGauge streamsRunning;

    /** When a request for items was last answered, by {@link System#nanoTime}. */
    private volatile long lastServed = System.nanoTime() - Duration.ofDays(1).toNanos();

    /**
     * Makes the metrics.
     *
     * @param tableNames tells the name of a table, or its id if the name is not known
     */
    public NodeMetrics(Function<TableId, String> tableNames) {
        this.tableNames = tableNames;
        this.append =
                Timer.builder("tidemark.log.append")
                        .description(
                                "From handing a write to the log's producer until the log has it")
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry);
        this.lagChanges =
                MultiGauge.builder("tidemark.index.lag.changes")
                        .description("Changes of the table that the index has not applied")
                        .register(registry);
        this.lagOfPartitions =
                MultiGauge.builder("tidemark.index.partition.lag.changes")
                        .description(
                                "Changes of one partition of the table that the index has not applied")
                        .register(registry);
        this.lagSeconds =
                MultiGauge.builder("tidemark.index.lag.seconds")
                        .description(
                                "Age of the oldest change that the index has not applied, 0 if there is none")
                        .register(registry);
        this.backfillPercent =
                MultiGauge.builder("tidemark.index.backfill.percent")
                        .description("How much of an index that is being built is filled")
                        .register(registry);
        this.backfillRate =
                MultiGauge.builder("tidemark.index.backfill.changes.per.second")
                        .description("How fast an index that is being built is filled")
                        .register(registry);
        this.violations =
                MultiGauge.builder("tidemark.index.violations")
                        .description(
                                "Items that have the index's key attributes and yet no place in it")
                        .register(registry);
        this.lateIndexes =
                MultiGauge.builder("tidemark.index.late")
                        .description("1 if the index trails its table by more than its bound")
                        .register(registry);
        this.streamsRunning =
                MultiGauge.builder("tidemark.streams.running")
                        .description("1 if the app is in the state named")
                        .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** Returns the text of {@code /metrics}, with the lags and app states of now. */
    public String scrape(
            Supplier<Collection<TableDefinition>> tables,
            LagView lags,
            BackfillWatch backfills,
            Cluster cluster,
            BackPressure pressure,
            Supplier<Map<String, KafkaStreams.State>> states) {
        List<Row<?>> changes = new ArrayList<>();
        List<Row<?>> seconds = new ArrayList<>();
        List<Row<?>> ofPartitions = new ArrayList<>();
        for (TableDefinition table : tables.get()) {
            for (GlobalIndex index : table.globalIndexes()) {
                Optional<IndexLag> lag = lags.lag(table, index);
                Tags tags = Tags.of("table", table.name().value(), "index", index.name().value());
                lag.ifPresent(
                        known -> {
                            changes.add(Row.of(tags, known.changes()));
                            seconds.add(Row.of(tags, known.age().toMillis() / 1e3));
                        });
                lags.byBasePartition(table, index)
                        .ifPresent(known -> addPartitions(tags, known, ofPartitions));
            }
        }
        lagOfPartitions.register(ofPartitions, true);
        lagChanges.register(changes, true);
        lagSeconds.register(seconds, true);
        tellGenerations(tables.get(), backfills, cluster);
        tellLate(tables.get(), pressure);
        verifications.tell(tables.get());
        List<Row<?>> running = new ArrayList<>();
        states.get()
                .forEach(
                        (application, state) ->
                                running.add(
                                        Row.of(
                                                Tags.of(
                                                        "application",
                                                        application,
                                                        "state",
                                                        state.name()),
                                                1)));
        streamsRunning.register(running, true);
        return registry.scrape();
    }

    private static void addPartitions(Tags index, List<IndexLag> lags, List<Row<?>> rows) {
        for (int partition = 0; partition < lags.size(); partition++) {
            rows.add(
                    Row.of(
                            index.and("partition", Integer.toString(partition)),
                            lags.get(partition).changes()));
        }
    }

    private void tellGenerations(
            Collection<TableDefinition> tables, BackfillWatch backfills, Cluster cluster) {
        List<Row<?>> skipped = new ArrayList<>();
        List<Row<?>> percents = new ArrayList<>();
        List<Row<?>> rates = new ArrayList<>();
        for (TableDefinition table : tables) {
            for (GlobalIndex index : table.generations()) {
                Tags tags =
                        Tags.of(
                                "table",
                                table.name().value(),
                                "index",
                                index.name().value(),
                                "generation",
                                Integer.toString(index.generation()));
                cluster.counts(table, index)
                        .ifPresent(counts -> skipped.add(Row.of(tags, counts.skipped())));
                if (index.status() == IndexStatus.CREATING) {
                    backfills
                            .of(table, index)
                            .ifPresent(
                                    known -> {
                                        percents.add(Row.of(tags, known.percent()));
                                        rates.add(Row.of(tags, known.perSecond()));
                                    });
                }
            }
        }
        backfillPercent.register(percents, true);
        backfillRate.register(rates, true);
        violations.register(skipped, true);
    }

    /** Takes note of a comparison of an index with its table that is over. */
    public void verified(Verification verification) {
        verifications.verified(verification);
    }

    private void tellLate(Collection<TableDefinition> tables, BackPressure pressure) {
        List<Row<?>> rows = new ArrayList<>();
        for (TableDefinition table : tables) {
            List<IndexName> late =
                    pressure.lateIndexes(table.id()).stream().map(LateIndex::index).toList();
            for (GlobalIndex index : table.globalIndexes()) {
                rows.add(
                        Row.of(
                                Tags.of(
                                        "table",
                                        table.name().value(),
                                        "index",
                                        index.name().value()),
                                late.contains(index.name()) ? 1 : 0));
            }
        }
        lateIndexes.register(rows, true);
    }

    @Override
    public void throttled(TableDefinition table, IndexName index) {
        registry.counter(
                        "tidemark.throttled.writes",
                        "table",
                        table.name().value(),
                        "index",
                        index.value())
                .increment();
    }

    /** Returns whether a request for items was answered within this time. */
    public boolean hasServedWithin(Duration time) {
        return System.nanoTime() - lastServed < time.toNanos();
    }

    @Override
    public void answered(String operation, Optional<ApiError> error, long nanos) {
        if (ITEM_OPERATIONS.contains(operation)) {
            lastServed = System.nanoTime();
        }
        requests.computeIfAbsent(
                        new Answer(operation, error.map(ApiError::name).orElse("none")),
                        this::timer)
                .record(Duration.ofNanos(nanos));
    }

    @Override
    public void appended(long nanos) {
        append.record(Duration.ofNanos(nanos));
    }

    @Override
    public void failed() {
        registry.counter("tidemark.log.append.failures").increment();
    }

    @Override
    public void overloaded() {
        registry.counter("tidemark.log.append.overloads").increment();
    }

    @Override
    public void rejected(TableId table, int partition, RejectReason reason) {
        registry.counter(
                        "tidemark.rejects",
                        "table",
                        tableNames.apply(table),
                        "reason",
                        reason.code())
                .increment();
    }

    @Override
    public void expired(TableId table) {
        registry.counter("tidemark.expired.items", "table", tableNames.apply(table)).increment();
    }

    @Override
    public void failed(TableId table, Throwable reason) {
        registry.counter("tidemark.app.failures", "table", tableNames.apply(table), "index", "")
                .increment();
        LOGGER.atError()
                .setCause(reason)
                .addKeyValue("table", tableNames.apply(table))
                .log("table app has stopped; its requests are refused until the node is restarted");
    }

    @Override
    public void stopped(IndexId index, String reason) {
        registry.counter(
                        "tidemark.app.failures",
                        "table",
                        tableNames.apply(index.table()),
                        "index",
                        index.index().value())
                .increment();
        LOGGER.atError()
                .addKeyValue("table", tableNames.apply(index.table()))
                .addKeyValue("index", index.index())
                .addKeyValue("reason", reason)
                .log("index app has stopped; its queries are refused until the node is restarted");
    }

    @Override
    public void unsuitable(IndexId index, Unsuitable why) {
        registry.counter(
                        "tidemark.index.skipped.changes",
                        "table",
                        tableNames.apply(index.table()),
                        "index",
                        index.index().value(),
                        "violation",
                        why.violation().name())
                .increment();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }

    private Timer timer(Answer answer) {
        return Timer.builder("tidemark.requests")
                .description("From a request's headers to its reply")
                .tags("operation", answer.operation(), "error", answer.error())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
