package dev.tidemark.launcher.node;

import dev.tidemark.base.BaseTableApp;
import dev.tidemark.gsi.IndexApp;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Streams apps on this node: one for each table and one for each global index its roles call
 * for.
 *
 * <p>Starting and stopping take some tenths of a second and are done side by side, off the caller's
 * thread. Thread-safe.
 */
final class TableApps implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(TableApps.class);
    private static final int SIDE_BY_SIDE = 8;

    /** Makes apps that are not started, and stops those that run; may block. */
    interface Factory {

        BaseTableApp base(TableDefinition table);

        IndexApp index(TableDefinition table, GlobalIndex index);

        /** Stops an app that will go on from what it has at the node's next start. */
        void stop(BaseTableApp app);

        /** Stops an app that will go on from what it has at the node's next start. */
        void stop(IndexApp app);
    }

    /** An app that is being started, runs, or is being stopped. */
    private static final class Running<A> {
        private final CompletableFuture<A> started;
        private volatile boolean stopping;

        Running(CompletableFuture<A> started) {
            this.started = started;
        }
    }

    private final Factory factory;
    private final ExecutorService workers;
    private final Map<TableId, Running<BaseTableApp>> bases = new ConcurrentHashMap<>();
    private final Map<IndexId, Running<IndexApp>> indexes = new ConcurrentHashMap<>();

    TableApps(Factory factory) {
        this.factory = factory;
        this.workers =
                Executors.newFixedThreadPool(
                        SIDE_BY_SIDE,
                        task -> {
                            Thread thread = new Thread(task, "table-apps");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Starts the app of a table unless it runs already. Its topics must exist. */
    void startBase(TableDefinition table) {
        bases.computeIfAbsent(
                table.id(),
                id ->
                        starting(
                                () -> {
                                    BaseTableApp app = factory.base(table);
                                    app.start();
                                    return app;
                                },
                                () -> bases.remove(id)));
    }

    /** Starts the app of an index unless it runs already. The table's topics must exist. */
    void startIndex(TableDefinition table, GlobalIndex index) {
        IndexId id = IndexId.of(table, index);
        indexes.computeIfAbsent(
                id,
                same ->
                        starting(
                                () -> {
                                    IndexApp app = factory.index(table, index);
                                    app.start();
                                    return app;
                                },
                                () -> indexes.remove(same)));
    }

    /**
     * Lets the app of an index rest or go on, and sets how many changes a second it takes at most.
     * Nothing happens while it is not running; say it again.
     */
    void pace(IndexId index, boolean paused, long changesPerSecond) {
        Optional.ofNullable(indexes.get(index))
                .flatMap(TableApps::running)
                .ifPresent(
                        app -> {
                            app.pace().limit(changesPerSecond);
                            if (paused) {
                                app.pause();
                            } else {
                                app.resume();
                            }
                        });
    }

    /** Stops the app of a table for good, and removes what it keeps on this node. */
    void removeBase(TableId table) {
        Running<BaseTableApp> app = bases.get(table);
        if (app != null && !app.stopping) {
            app.stopping = true;
            CompletableFuture<Void> unused =
                    app.started
                            .thenAcceptAsync(BaseTableApp::closeForGood, workers)
                            .whenComplete(
                                    (done, failure) -> {
                                        report("base app", failure);
                                        bases.remove(table);
                                    });
        }
    }

    /** Stops the app of an index for good, and removes what it keeps on this node. */
    void removeIndex(IndexId index) {
        Running<IndexApp> app = indexes.get(index);
        if (app != null && !app.stopping) {
            app.stopping = true;
            CompletableFuture<Void> unused =
                    app.started
                            .thenAcceptAsync(IndexApp::closeForGood, workers)
                            .whenComplete(
                                    (done, failure) -> {
                                        report("index app", failure);
                                        indexes.remove(index);
                                    });
        }
    }

    /** Returns the tables whose apps are here, those being started or stopped too. */
    Set<TableId> tables() {
        return Set.copyOf(bases.keySet());
    }

    /** Returns the indexes whose apps are here, those being started or stopped too. */
    Set<IndexId> indexes() {
        return Set.copyOf(indexes.keySet());
    }

    /** Returns the running engine of a table's app. */
    Optional<KafkaStreams> base(TableId table) {
        return Optional.ofNullable(bases.get(table))
                .flatMap(TableApps::running)
                .map(BaseTableApp::streams);
    }

    /** Returns the running engine of an index's app. */
    Optional<KafkaStreams> index(IndexId index) {
        return Optional.ofNullable(indexes.get(index))
                .flatMap(TableApps::running)
                .map(IndexApp::streams);
    }

    /** Returns the Streams state of every app here, by application id. */
    Map<String, KafkaStreams.State> states() {
        Map<String, KafkaStreams.State> states = new ConcurrentHashMap<>();
        bases.values().stream()
                .flatMap(app -> running(app).stream())
                .forEach(
                        app ->
                                states.put(
                                        app.table().topics().baseApplication(),
                                        app.streams().state()));
        indexes.values().stream()
                .flatMap(app -> running(app).stream())
                .forEach(app -> states.put(app.topics().applicationId(), app.streams().state()));
        return states;
    }

    /** Stops all apps; they keep what they have, and go on from there at the next start. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> stops = new ArrayList<>();
        indexes.values()
                .forEach(app -> stops.add(app.started.thenAcceptAsync(factory::stop, workers)));
        bases.values()
                .forEach(app -> stops.add(app.started.thenAcceptAsync(factory::stop, workers)));
        CompletableFuture.allOf(stops.toArray(new CompletableFuture<?>[0]))
                .exceptionally(
                        failure -> {
                            report("app", failure);
                            return null;
                        })
                .join();
        workers.shutdown();
    }

    private <A> Running<A> starting(Supplier<A> start, Runnable forget) {
        CompletableFuture<A> started = CompletableFuture.supplyAsync(start, workers);
        CompletableFuture<A> unused =
                started.whenCompleteAsync(
                        (app, failure) -> {
                            if (failure != null) {
                                LOGGER.atWarn()
                                        .setCause(failure)
                                        .log("an app can't be started; trying again");
                                forget.run();
                            }
                        },
                        workers);
        return new Running<>(started);
    }

    private static <A> Optional<A> running(Running<A> app) {
        return app.started.isDone() && !app.started.isCompletedExceptionally() && !app.stopping
                ? Optional.of(app.started.join())
                : Optional.empty();
    }

    private static void report(String what, @Nullable Throwable failure) {
        if (failure != null) {
            LOGGER.atWarn()
                    .setCause(failure)
                    .addKeyValue("app", what)
                    .log("an app did not stop in order");
        }
    }
}
