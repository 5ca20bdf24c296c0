package dev.tidemark.launcher.node;

import dev.tidemark.gsi.IndexTopics;
import dev.tidemark.ingest.HistoryCompaction;
import dev.tidemark.ingest.LogTopics;
import dev.tidemark.launcher.config.Role;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.rules.ItemRules;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.CatalogState;
import dev.tidemark.query.expiry.TimeToLiveDefinition;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.query.table.BackfillWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what runs and what exists in Kafka follow the catalog: topics and apps of tables and
 * indexes that come, their removal when they go, and the commands that say a table or an index is
 * ACTIVE or gone. Long, since one look does all of it, in an order that matters.
 */
final class Lifecycle implements AutoCloseable {

    /*
     * Steps: one thread looks at the catalog whenever something changed, and at a short beat, and does what is missing.
     * Every deed may be done twice, also by two nodes: topics that exist are left alone, proposals that hold already
     * change nothing, definitions in the log are told apart by version. So a crash anywhere needs no cleaning up.
     *
     * Leader: what is proposed and what is removed from Kafka is left to one node, only to save work.
     *
     * Index keys: every partition of a table's log is told which index keys writes must suit, before the table is ACTIVE,
     * before an index counts its backfill, and after an index is gone (docs/adr/0003). It is told as well whether and
     * how items expire; the node that takes the request has told it already, unless it failed midway (docs/adr/0008).
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(Lifecycle.class);
    private static final long BEAT_MILLIS = 100;
    private static final Duration REMOVAL = Duration.ofSeconds(20);
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();
    private static final Duration STOP = Duration.ofSeconds(5);

    private record Definition(List<Write.IndexKeys> keys, CompletableFuture<?> appended) {}

    private record Expiry(TimeToLive setting, CompletableFuture<?> appended) {}

    private final Set<Role> roles;
    private final Catalog catalog;
    private final TableApps apps;
    private final Cluster cluster;
    private final WriteLog log;
    private final LogTopics topics;
    private final BackfillPacing pacing;
    private final BackfillWatch backfills;
    private final BrokenIndexes broken;
    private final HistoryCompaction compaction;
    private final InstantSource clock;
    private final BaseRemoval removal;
    private final Admin admin;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean due = new AtomicBoolean();
    private final Set<CatalogCommand> proposed = ConcurrentHashMap.newKeySet();
    private final Set<TableId> prepared = new HashSet<>();
    private final Map<TableId, Definition> definitions = new HashMap<>();
    private final Map<TableId, Expiry> expiries = new HashMap<>();
    private final Map<IndexId, List<Long>> latest = new HashMap<>();

    /** When each discarded generation was first met, by {@link System#nanoTime}. */
    private final Map<IndexId, Long> discarded = new HashMap<>();

    Lifecycle(
            Set<Role> roles,
            Catalog catalog,
            TableApps apps,
            Cluster cluster,
            WriteLog log,
            LogTopics topics,
            BackfillPacing pacing,
            BackfillWatch backfills,
            BrokenIndexes broken,
            InstantSource clock,
            Admin admin) {
        this.roles = roles;
        this.catalog = catalog;
        this.apps = apps;
        this.cluster = cluster;
        this.log = log;
        this.topics = topics;
        this.pacing = pacing;
        this.backfills = backfills;
        this.broken = broken;
        this.compaction = new HistoryCompaction(admin, System::nanoTime);
        this.clock = clock;
        this.removal = new BaseRemoval(admin);
        this.admin = admin;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "lifecycle");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** Begins to follow the catalog. */
    void start() {
        catalog.addListener((before, after) -> trigger());
        cluster.addListener(this::trigger);
        Future<?> unused =
                thread.scheduleWithFixedDelay(this::step, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Looks at everything soon. */
    void trigger() {
        if (!thread.isShutdown() && due.compareAndSet(false, true)) {
            thread.execute(this::step);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOGGER.atWarn().log("the lifecycle did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One look at everything; what failed is done again at the next. */
    @SuppressWarnings("IllegalCatch") // the boundary of its thread
    private void step() {
        due.set(false);
        CatalogState state = catalog.state();
        for (TableDefinition table : state.tables()) {
            try {
                step(table, state.version());
            } catch (RuntimeException e) {
                if (!thread.isShutdown()) {
                    LOGGER.atWarn()
                            .setCause(e)
                            .addKeyValue("table", table.name())
                            .log("a table's life does not go on; trying again");
                }
            }
        }
        forgetOthers(state);
        backfills.look(state.tables(), System.nanoTime());
    }

    private void step(TableDefinition table, long version) {
        if (table.status() == TableStatus.DELETING) {
            remove(table);
            return;
        }
        if (!prepared.contains(table.id())) {
            topics.create(table);
            prepared.add(table.id());
        }
        if (roles.contains(Role.BASE)) {
            apps.startBase(table);
        }
        for (GlobalIndex index : table.generations()) {
            if (index.status().isMaintained() && roles.contains(Role.GSI)) {
                if (mayStart(table, index)) {
                    apps.startIndex(table, index);
                }
                pacing.apply(table, index);
                broken.take(table, index, now()).ifPresent(this::propose);
            }
        }
        if (cluster.leads()) {
            lead(table, version);
        }
    }

    /**
     * An index that is filled from a compacted history begins once its target is set: compaction is
     * held before that, until it is filled.
     */
    private static boolean mayStart(TableDefinition table, GlobalIndex index) {
        return !table.compactsHistory() || !isFilled(index) || !index.build().target().isEmpty();
    }

    /** Returns whether an index is just being filled with what its table held before. */
    private static boolean isFilled(GlobalIndex index) {
        return index.status() == IndexStatus.CREATING && index.build().startedAt().isPresent();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private void lead(TableDefinition table, long version) {
        boolean defined = defineIndexKeys(table, version);
        if (table.status() == TableStatus.CREATING) {
            if (defined
                    && cluster.isOpen(table)
                    && table.globalIndexes().stream()
                            .allMatch(index -> cluster.isOpen(table, index))) {
                propose(new CatalogCommand.MarkTableActive(table.id()));
            }
            return;
        }
        defineTimeToLive(table);
        boolean settled = !table.compactsHistory() || isCompactionSettled(table);
        for (GlobalIndex index : table.generations()) {
            if (index.status() == IndexStatus.CREATING && defined && settled) {
                finishBackfill(table, index);
            } else if (index.status() == IndexStatus.DELETING && !lingers(table, index)) {
                remove(table, index);
            }
        }
    }

    /**
     * Appends the index keys to every partition if they have changed; returns whether all
     * partitions have them.
     */
    private boolean defineIndexKeys(TableDefinition table, long version) {
        List<Write.IndexKeys> keys = ItemRules.indexKeysOf(table);
        Definition last = definitions.get(table.id());
        if (last == null
                || !last.keys().equals(keys)
                || last.appended().isCompletedExceptionally()) {
            Write define = new Write.DefineIndexKeys(version, keys);
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int partition = 0; partition < table.partitions(); partition++) {
                appends.add(log.appendTo(table, partition, define).toCompletableFuture());
            }
            CompletableFuture<Void> appended =
                    CompletableFuture.allOf(appends.toArray(new CompletableFuture<?>[0]));
            CompletableFuture<Void> unused = appended.whenComplete((done, failure) -> trigger());
            last = new Definition(keys, appended);
            definitions.put(table.id(), last);
        }
        return last.appended().isDone() && !last.appended().isCompletedExceptionally();
    }

    /** Appends the time to live to every partition if it has changed. */
    private void defineTimeToLive(TableDefinition table) {
        TimeToLive setting = table.options().timeToLive();
        Expiry last = expiries.get(table.id());
        boolean isDone =
                last == null
                        ? setting.equals(TimeToLive.NEVER)
                        : last.setting().equals(setting)
                                && !last.appended().isCompletedExceptionally();
        if (!isDone) {
            expiries.put(table.id(), new Expiry(setting, TimeToLiveDefinition.append(log, table)));
        }
    }

    /** Holds or releases compaction; returns false while it should be held and may still go on. */
    private boolean isCompactionSettled(TableDefinition table) {
        if (table.generations().stream().anyMatch(Lifecycle::isFilled)) {
            return compaction.hold(table);
        }
        compaction.release(table);
        return true;
    }

    private void finishBackfill(TableDefinition table, GlobalIndex index) {
        List<Long> target = index.build().target();
        if (target.isEmpty()) {
            cluster.sequences(table)
                    .ifPresent(
                            sequences ->
                                    propose(
                                            new CatalogCommand.SetIndexTarget(
                                                    table.id(),
                                                    index.name(),
                                                    index.generation(),
                                                    sequences)));
        } else if (cluster.hasApplied(table, index, target)
                && (table.spare(index.name(), Purpose.NEXT).isEmpty() || isAbreast(table, index))) {
            propose(
                    new CatalogCommand.MarkIndexActive(
                            table.id(),
                            index.name(),
                            index.generation(),
                            Optional.of(now()),
                            leavesOutMore(table, index)));
        }
    }

    /**
     * Returns whether an index, as a next generation, has no place for items that the one which
     * serves has: then somebody has to look before it serves.
     */
    private boolean leavesOutMore(TableDefinition table, GlobalIndex index) {
        long skipped = cluster.counts(table, index).map(ProjectionCounts::skipped).orElse(0L);
        Optional<Long> served =
                table.globalIndex(index.name())
                        .filter(serving -> serving.generation() != index.generation())
                        .flatMap(serving -> cluster.counts(table, serving))
                        .map(ProjectionCounts::skipped);
        return served.filter(others -> skipped > others).isPresent();
    }

    /**
     * Returns whether an index has what the table had at the look before, so that queries do not
     * fall back in time when it takes over.
     */
    private boolean isAbreast(TableDefinition table, GlobalIndex index) {
        IndexId id = IndexId.of(table, index);
        Optional<List<Long>> now = cluster.sequences(table);
        List<Long> before = latest.get(id);
        now.ifPresent(sequences -> latest.put(id, sequences));
        return before != null && cluster.hasApplied(table, index, before);
    }

    /**
     * Returns whether a generation that has just ceased to serve is left for requests that are
     * under way, and for nodes that have not heard of it.
     */
    private boolean lingers(TableDefinition table, GlobalIndex index) {
        if (table.status() == TableStatus.DELETING
                || table.spare(index.name(), Purpose.DISCARDED).isEmpty()) {
            return false;
        }
        long now = System.nanoTime();
        return now - discarded.computeIfAbsent(IndexId.of(table, index), id -> now) < LINGER_NANOS;
    }

    private void remove(TableDefinition table, GlobalIndex index) {
        IndexId id = IndexId.of(table, index);
        apps.removeIndex(id);
        if (apps.indexes().contains(id) || cluster.isHeld(id)) {
            return;
        }
        IndexTopics.of(table.topics(), index.name(), index.generation()).delete(admin, REMOVAL);
        cluster.forget(id);
        latest.remove(id);
        propose(new CatalogCommand.ForgetIndex(table.id(), index.name(), index.generation()));
    }

    private void remove(TableDefinition table) {
        apps.removeBase(table.id());
        table.generations().forEach(index -> apps.removeIndex(IndexId.of(table, index)));
        boolean here =
                apps.tables().contains(table.id())
                        || apps.indexes().stream()
                                .anyMatch(index -> index.table().equals(table.id()));
        if (here || !cluster.leads()) {
            return;
        }
        boolean held =
                cluster.isHeld(table.id())
                        || table.generations().stream()
                                .anyMatch(index -> cluster.isHeld(IndexId.of(table, index)));
        if (held) {
            return;
        }
        table.generations()
                .forEach(
                        index ->
                                IndexTopics.of(table.topics(), index.name(), index.generation())
                                        .delete(admin, REMOVAL));
        removal.remove(table, REMOVAL);
        topics.delete(table);
        propose(new CatalogCommand.ForgetTable(table.id()));
    }

    /** Stops what runs for tables and indexes that are no longer in the catalog. */
    private void forgetOthers(CatalogState state) {
        for (TableId table : apps.tables()) {
            if (state.table(table).isEmpty()) {
                apps.removeBase(table);
            }
        }
        for (IndexId index : apps.indexes()) {
            boolean wanted =
                    state.index(index).filter(found -> found.status().isMaintained()).isPresent()
                            || state.table(index.table())
                                    .flatMap(
                                            table ->
                                                    state.index(index)
                                                            .filter(found -> lingers(table, found)))
                                    .isPresent();
            if (!wanted) {
                apps.removeIndex(index);
            }
        }
        prepared.stream().filter(table -> state.table(table).isEmpty()).forEach(cluster::forget);
        prepared.removeIf(table -> state.table(table).isEmpty());
        definitions.keySet().removeIf(table -> state.table(table).isEmpty());
        expiries.keySet().removeIf(table -> state.table(table).isEmpty());
        compaction.keepOnly(state.tables().stream().map(TableDefinition::id).toList());
        discarded.keySet().removeIf(index -> state.index(index).isEmpty());
        latest.keySet().removeIf(index -> state.index(index).isEmpty());
    }

    private void propose(CatalogCommand command) {
        if (!proposed.add(command)) {
            return;
        }
        catalog.propose(command)
                .whenComplete(
                        (table, failure) -> {
                            proposed.remove(command);
                            if (failure != null && !(cause(failure) instanceof ApiException)) {
                                LOGGER.atWarn()
                                        .setCause(failure)
                                        .log("a command could not be put into the catalog");
                            }
                            trigger();
                        });
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }
}
