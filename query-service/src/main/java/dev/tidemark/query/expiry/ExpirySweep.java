package dev.tidemark.query.expiry;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.query.read.StoreRef;
import dev.tidemark.wire.AttributeNames;
import dev.tidemark.wire.StoredItems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through the partitions on this node for items whose time to live is over, and asks the log
 * to remove them.
 *
 * <p>What it finds is a proposal: the command is applied only if it still holds at its place in the
 * log, so a stale read, a repeat, or two nodes that sweep the same partition do no harm.
 */
public final class ExpirySweep implements AutoCloseable {

    /*
     * Rounds: every partition of a table whose items expire is looked through once in an interval,
     * in pieces. A piece is one short read of the store; on a beat some pieces are read, of all
     * partitions that are due in turn. So a beat's work is bounded however much there is, a round
     * over a large partition takes several beats, and a table whose items do not expire costs
     * nothing.
     *
     * Room: commands whose outcome is not known yet are counted, and nothing more is read while
     * there are many. So the log's room is left to callers.
     */

    /** At most 50,000 items a second are looked at, some percents of one core. */
    private static final Duration BEAT = Duration.ofMillis(100);

    private static final int ITEMS_A_BEAT = 5_000;
    private static final int ITEMS_A_PIECE = 1_000;
    private static final int MOST_IN_FLIGHT = 500;
    private static final Duration STOP = Duration.ofSeconds(5);

    private static final Logger LOGGER = LoggerFactory.getLogger(ExpirySweep.class);

    /** How far a partition has been looked through since a moment. */
    private static final class Round {
        private final StoreRef.Items store;
        private final Instant started;
        private KeySpan left = KeySpan.from(StorageKeys.hashStart(0));

        Round(StoreRef.Items store, Instant started) {
            this.store = store;
            this.started = started;
        }
    }

    private final Supplier<Collection<TableDefinition>> tables;
    private final ProgressBoard board;
    private final PartitionStores stores;
    private final WriteLog log;
    private final InstantSource clock;
    private final Duration interval;
    private final ExpiryListener listener;
    private final ScheduledExecutorService thread;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** The partitions on this node whose items expire, as of this beat. */
    private Map<StoreRef.Items, TableDefinition> here = Map.of();

    /** When the last round over a partition that is not under way began. */
    private final Map<StoreRef.Items, Instant> rested = new HashMap<>();

    private final Deque<Round> rounds = new ArrayDeque<>();

    /**
     * Makes a sweep that is not started.
     *
     * @param tables the tables of now
     * @param board tells which partitions are here
     * @param interval how often a partition is looked through
     */
    public ExpirySweep(
            Supplier<Collection<TableDefinition>> tables,
            ProgressBoard board,
            PartitionStores stores,
            WriteLog log,
            InstantSource clock,
            Duration interval,
            ExpiryListener listener) {
        this.tables = tables;
        this.board = board;
        this.stores = stores;
        this.log = log;
        this.clock = clock;
        this.interval = interval;
        this.listener = listener;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "expiry");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** Begins to sweep. */
    public void start() {
        Future<?> unused =
                thread.scheduleWithFixedDelay(
                        this::guardedBeat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOGGER.atWarn().log("the expiry of items did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("IllegalCatch") // the boundary of its thread: the next beat goes on
    private void guardedBeat() {
        try {
            beat();
        } catch (RuntimeException e) {
            if (!thread.isShutdown()) {
                LOGGER.atWarn().setCause(e).log("expired items can't be looked for; going on");
            }
        }
    }

    /** Does one beat's work. */
    void beat() {
        here = expiringPartitions();
        beginRounds();
        int left = ITEMS_A_BEAT;
        while (left > 0 && inFlight.get() < MOST_IN_FLIGHT) {
            @Nullable Round round = rounds.poll();
            if (round == null) {
                return;
            }
            left -= lookThrough(round, Math.min(left, ITEMS_A_PIECE));
        }
    }

    private Map<StoreRef.Items, TableDefinition> expiringPartitions() {
        Map<StoreRef.Items, TableDefinition> partitions = new LinkedHashMap<>();
        for (TableDefinition table : tables.get()) {
            if (expires(table)) {
                for (int number = 0; number < table.partitions(); number++) {
                    StoreRef.Items store = new StoreRef.Items(table.id(), number);
                    if (isHere(store)) {
                        partitions.put(store, table);
                    }
                }
            }
        }
        return partitions;
    }

    private void beginRounds() {
        rested.keySet().retainAll(here.keySet());
        rounds.removeIf(round -> !here.containsKey(round.store));
        Set<StoreRef.Items> underWay = new HashSet<>();
        rounds.forEach(round -> underWay.add(round.store));
        Instant now = clock.instant();
        for (StoreRef.Items store : here.keySet()) {
            Instant last = rested.getOrDefault(store, Instant.MIN);
            if (!underWay.contains(store) && !last.isAfter(now.minus(interval))) {
                rested.remove(store);
                rounds.add(new Round(store, now));
            }
        }
    }

    /** Reads a piece of what is left of a round; returns how many items were read, at least 1. */
    private int lookThrough(Round round, int most) {
        TableDefinition table = Objects.requireNonNull(here.get(round.store));
        String attribute = table.options().timeToLive().attribute().orElseThrow();
        Piece piece = new Piece(table, attribute, most);
        try {
            stores.visit(round.store, round.left, PartitionStores.Direction.FORWARD, piece);
        } catch (ApiException e) {
            // the partition is moving: whoever has it next begins a round of its own
            rested.put(round.store, round.started);
            return Math.max(1, piece.read);
        }
        if (piece.isFull()) {
            round.left = round.left.after(piece.last);
            rounds.add(round);
        } else {
            rested.put(round.store, round.started);
        }
        piece.found.forEach(key -> remove(table, new Write.ExpireItem(key, attribute, piece.asOf)));
        return Math.max(1, piece.read);
    }

    private void remove(TableDefinition table, Write.ExpireItem expire) {
        inFlight.incrementAndGet();
        var unused =
                log.append(table, expire)
                        .whenComplete(
                                (outcome, failure) -> {
                                    inFlight.decrementAndGet();
                                    // after a failure the item is found again in the next round
                                    if (failure == null && isRemoval(outcome)) {
                                        listener.expired(table.id());
                                    }
                                });
    }

    private boolean isHere(StoreRef.Items store) {
        return board.base(store.table(), store.partition())
                .filter(BaseProgress::isOpen)
                .isPresent();
    }

    private static boolean expires(TableDefinition table) {
        return table.options().timeToLive().attribute().isPresent()
                && (table.status() == TableStatus.ACTIVE || table.status() == TableStatus.UPDATING);
    }

    private static boolean isRemoval(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Applied applied
                && applied.before().isPresent()
                && applied.after().isEmpty();
    }

    /** Collects the keys of expired items until it has read or found enough. */
    private final class Piece implements PartitionStores.Visitor {

        private final byte[] attribute;
        private final AttributeNames keyNames;
        private final Instant asOf;
        private final int most;
        private final int mostFound;
        private final List<Item> found = new ArrayList<>();
        private byte[] last = {};
        private int read;

        Piece(TableDefinition table, String attribute, int most) {
            this.attribute = attribute.getBytes(StandardCharsets.UTF_8);
            this.keyNames = AttributeNames.of(table.key().names());
            this.asOf = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            this.most = most;
            this.mostFound = Math.max(1, MOST_IN_FLIGHT - inFlight.get());
        }

        @Override
        public boolean visit(byte[] key, byte[] stored) {
            read++;
            last = key;
            if (StoredItems.attribute(stored, attribute)
                    .filter(end -> TimeToLive.isPast(end, asOf))
                    .isPresent()) {
                found.add(StoredItems.only(stored, keyNames));
            }
            return !isFull();
        }

        boolean isFull() {
            return read >= most || found.size() >= mostFound;
        }
    }
}
