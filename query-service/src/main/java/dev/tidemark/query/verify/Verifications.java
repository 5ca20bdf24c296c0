package dev.tidemark.query.verify;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.Services;
import dev.tidemark.query.read.CurrentPositions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The comparisons that this node does, one after another on a thread of their own, and the results
 * of the last ones. Thread-safe; does not block.
 */
public final class Verifications implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Verifications.class);

    /** The most that are known: under way, waiting, or over. */
    private static final int MOST_KNOWN = 200;

    private static final int ID_BYTES = 8;
    private static final Duration STOP = Duration.ofSeconds(5);

    private final Services services;
    private final ChangeFeed.Source feeds;
    private final LongSupplier rowsPerSecond;
    private final InstantSource clock;
    private final Consumer<Verification> listener;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Verification> known = new LinkedHashMap<>();
    private final ScheduledExecutorService thread;

    /**
     * Makes it.
     *
     * @param rowsPerSecond how many rows a second may be read just now
     * @param listener is told of each that is over; must neither block nor fail
     */
    public Verifications(
            Services services,
            ChangeFeed.Source feeds,
            LongSupplier rowsPerSecond,
            InstantSource clock,
            Consumer<Verification> listener) {
        this.services = services;
        this.feeds = feeds;
        this.rowsPerSecond = rowsPerSecond;
        this.clock = clock;
        this.listener = listener;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "verification");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /**
     * Compares the indexes of all tables once in an interval.
     *
     * @param tables the tables of then
     * @param isLeading whether this node is the one to do it
     */
    public void repeat(
            Duration interval,
            Supplier<Collection<TableDefinition>> tables,
            BooleanSupplier isLeading) {
        Future<?> unused =
                thread.scheduleWithFixedDelay(
                        () -> {
                            if (isLeading.getAsBoolean()) {
                                startAll(tables.get());
                            }
                        },
                        interval.toMillis(),
                        interval.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void startAll(Collection<TableDefinition> tables) {
        for (TableDefinition table : tables) {
            for (GlobalIndex index : table.globalIndexes()) {
                if (index.status() == IndexStatus.ACTIVE && start(table, index, false).isEmpty()) {
                    LOGGER.atWarn()
                            .addKeyValue("table", table.name())
                            .addKeyValue("index", index.name())
                            .log("index is not verified: too many others are to be");
                }
            }
        }
    }

    /**
     * Begins to compare, as soon as those before are over, or returns the one that does the same
     * and is not over; empty if too many wait.
     */
    Optional<Verification> start(TableDefinition table, GlobalIndex index, boolean repairs) {
        Verification made;
        synchronized (known) {
            for (Verification each : known.values()) {
                if (!each.isOver()
                        && each.repairs() == repairs
                        && each.table().id().equals(table.id())
                        && each.index().name().equals(index.name())
                        && each.index().generation() == index.generation()) {
                    return Optional.of(each);
                }
            }
            if (known.size() >= MOST_KNOWN && !forgetOldest()) {
                return Optional.empty();
            }
            byte[] id = new byte[ID_BYTES];
            random.nextBytes(id);
            made = new Verification(HexFormat.of().formatHex(id), table, index, repairs);
            known.put(made.id(), made);
        }
        thread.execute(() -> run(made));
        return Optional.of(made);
    }

    private boolean forgetOldest() {
        Optional<Verification> oldest =
                known.values().stream().filter(Verification::isOver).findFirst();
        oldest.ifPresent(over -> known.remove(over.id()));
        return oldest.isPresent();
    }

    /** Returns the one with this id, if it is known. */
    Optional<Verification> find(String id) {
        synchronized (known) {
            return Optional.ofNullable(known.get(id));
        }
    }

    @SuppressWarnings("IllegalCatch") // the boundary of one comparison: the next one goes on
    private void run(Verification verification) {
        try {
            compare(verification);
        } catch (ApiException e) {
            verification.failed(clock.instant(), e.text());
        } catch (RuntimeException e) {
            LOGGER.atDebug().setCause(e).log("verification failed");
            verification.failed(clock.instant(), String.valueOf(e.getMessage()));
        }
        if (!thread.isShutdown()) {
            tell(verification);
            listener.accept(verification);
        }
    }

    private void compare(Verification verification) {
        TableDefinition table = verification.table();
        ReadPace pace = new ReadPace(rowsPerSecond);
        verification.started(clock.instant(), pace::rows);
        RowReads reads = new RowReads(services, table, verification.index());
        IndexVerifier verifier =
                new IndexVerifier(
                        new VerificationPass(
                                table,
                                verification.index(),
                                reads,
                                new CurrentPositions(services.router(), services.readIndex()),
                                feeds,
                                pace),
                        table.partitions());
        VerificationReport report = verifier.verify();
        if (verification.repairs()) {
            IndexRepair repair = new IndexRepair(table, services.log(), reads);
            if (report.total() > report.unmendable()) {
                verifier.mend(report, repair);
                repair.finish();
            }
            verification.found(report, repair.appended());
            if (repair.appended() > 0) {
                report = verifier.verify();
            }
        }
        verification.finished(clock.instant(), report);
    }

    private static void tell(Verification verification) {
        LoggingEventBuilder event =
                verification.isEqual().orElse(false) ? LOGGER.atInfo() : LOGGER.atWarn();
        event =
                event.addKeyValue("table", verification.table().name())
                        .addKeyValue("index", verification.index().name())
                        .addKeyValue("generation", verification.index().generation());
        Optional<String> failure = verification.failure();
        if (failure.isPresent()) {
            event.addKeyValue("reason", failure.get())
                    .log("index can't be compared with its table");
            return;
        }
        event.addKeyValue("missing", verification.missing())
                .addKeyValue("dangling", verification.dangling())
                .addKeyValue("different", verification.different())
                .addKeyValue("mended", verification.mended())
                .addKeyValue("millis", verification.took().toMillis())
                .log("index is compared with its table");
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOGGER.atWarn().log("a verification did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
