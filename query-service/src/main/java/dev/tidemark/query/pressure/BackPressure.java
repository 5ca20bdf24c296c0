package dev.tidemark.query.pressure;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.error.ThrottlingReason;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.routing.LagView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which indexes can't keep up with their tables, and holds writes back until they can again.
 * Thread-safe; asking costs next to nothing.
 *
 * <p>It looks at the lags some times a second, so a bound may be overrun by what is written in
 * between. Only indexes that serve count; one of which nothing is known does not.
 */
public final class BackPressure implements AutoCloseable {

    /*
     * Age: the oldest change that is missing may have a time long past, when readings of yesterday are written into the log
     * today. So an index counts as old as that change, but not as older than the time since it was last seen without lag.
     */

    /** What the tag of a table begins with that bounds the lag of the index named after it. */
    public static final String TAG = "tidemark:max-lag.";

    private static final Logger LOGGER = LoggerFactory.getLogger(BackPressure.class);
    private static final long BEAT_MILLIS = 100;

    private final Supplier<Collection<TableDefinition>> tables;
    private final LagView lags;
    private final LagBound bound;
    private final BiFunction<TableDefinition, IndexName, String> arns;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread;

    /** When each index was last seen without lag. */
    private final Map<IndexId, Long> abreast = new HashMap<>();

    private volatile Map<TableId, List<LateIndex>> late = Map.of();

    /**
     * Makes one that does not look by itself before {@link #start}.
     *
     * @param bound the bound of indexes whose table has no tag for them
     * @param arns tells the ARN of an index
     * @param nanos a clock like {@link System#nanoTime}
     */
    public BackPressure(
            Supplier<Collection<TableDefinition>> tables,
            LagView lags,
            LagBound bound,
            BiFunction<TableDefinition, IndexName, String> arns,
            LongSupplier nanos) {
        this.tables = tables;
        this.lags = lags;
        this.bound = bound;
        this.arns = arns;
        this.nanos = nanos;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "back-pressure");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** Begins to look at the lags again and again. */
    public void start() {
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(
                        this::lookAgain, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the indexes of a table that are beyond their bounds. */
    public List<LateIndex> lateIndexes(TableId table) {
        return late.getOrDefault(table, List.of());
    }

    /** Returns the index for which writes of the table are held back now, if there is one. */
    public Optional<LateIndex> holdingBack(TableId table) {
        Map<TableId, List<LateIndex>> now = late;
        return now.isEmpty()
                ? Optional.empty()
                : now.getOrDefault(table, List.of()).stream()
                        .filter(LateIndex::throttles)
                        .findFirst();
    }

    /**
     * Returns what the caller of a write is told that is held back: what Amazon answers when an
     * index is the bottleneck. Source: the DynamoDB Developer Guide on throttling.
     */
    public ApiException refusal(TableDefinition table, LateIndex index) {
        boolean provisioned = table.billingMode() == BillingMode.PROVISIONED;
        String behind =
                " Index: "
                        + index.index()
                        + ", behind its table by "
                        + index.lag().changes()
                        + " changes, "
                        + index.lag().age().toMillis()
                        + " ms";
        String resource = arns.apply(table, index.index());
        return provisioned
                ? new ApiException(
                        ApiError.THROUGHPUT_EXCEEDED,
                        "The level of configured provisioned throughput for one or more global"
                                + " secondary indexes of the table was exceeded. Consider increasing"
                                + " your provisioning level for the under-provisioned global"
                                + " secondary indexes with the UpdateTable API."
                                + behind,
                        new ThrottlingReason("IndexWriteProvisionedThroughputExceeded", resource))
                : new ApiException(
                        ApiError.THROTTLING,
                        "Throughput exceeds the current capacity for one or more global secondary"
                                + " indexes. Please try again shortly."
                                + behind,
                        new ThrottlingReason("IndexWriteKeyRangeThroughputExceeded", resource));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    @SuppressWarnings("IllegalCatch") // the boundary of its thread: the next look may go well
    private void lookAgain() {
        try {
            look();
        } catch (RuntimeException e) {
            if (!thread.isShutdown()) {
                LOGGER.atWarn().setCause(e).log("the lags of indexes can't be looked at");
            }
        }
    }

    /** Looks at the lags of all indexes that serve. */
    void look() {
        Map<TableId, List<LateIndex>> found = new HashMap<>();
        Map<IndexId, Long> seen = new HashMap<>();
        long now = nanos.getAsLong();
        for (TableDefinition table : tables.get()) {
            for (GlobalIndex index : table.globalIndexes()) {
                Optional<IndexLag> lag =
                        index.status() == IndexStatus.ACTIVE
                                ? lags.lag(table, index)
                                : Optional.empty();
                if (lag.isPresent()) {
                    IndexId id = IndexId.of(table, index);
                    long since = lag.get().changes() == 0 ? now : abreast.getOrDefault(id, now);
                    seen.put(id, since);
                    IndexLag counted = youngerOf(lag.get(), Duration.ofNanos(now - since));
                    LagBound own = boundOf(table, index.name());
                    if (own.isExceededBy(counted)) {
                        found.computeIfAbsent(table.id(), none -> new ArrayList<>())
                                .add(new LateIndex(index.name(), counted, own.throttles()));
                    }
                }
            }
        }
        abreast.clear();
        abreast.putAll(seen);
        late = Map.copyOf(found);
    }

    private LagBound boundOf(TableDefinition table, IndexName index) {
        return Optional.ofNullable(table.tags().get(TAG + index))
                .flatMap(text -> LagBound.parse(text, bound))
                .orElse(bound);
    }

    private static IndexLag youngerOf(IndexLag lag, Duration age) {
        return lag.isWithin(age) ? lag : new IndexLag(lag.changes(), age);
    }
}
