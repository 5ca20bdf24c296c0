package dev.tidemark.gsi;

import dev.tidemark.gsi.materialize.EntryStore;
import dev.tidemark.gsi.materialize.EntryWrite;
import dev.tidemark.gsi.materialize.Materializer;
import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.RawIndexUpdate;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The way of changes into an index as a simulation: the classes that project and materialize are
 * the real ones, everything around them is played, with what they send, what has arrived and what
 * is committed kept apart. Delivery is at least once and reading uncommitted throughout.
 *
 * <p>One partition of the table emits changes; the index has two partitions. A run is a function of
 * its seed.
 */
final class PipelineModel {

    /** How stage 2 decides what to apply. */
    interface Rule {
        void apply(RawIndexUpdate update);
    }

    /** Makes a rule that goes on from what is in a store. */
    interface RuleMaker {
        Rule over(EntryStore store);
    }

    /** What crashes take with them. */
    enum Crash {
        /** Everything at once, as when the one process of an embedded node is killed. */
        WHOLE_PROCESS,
        /** Single tasks, whose former owners go on sending for a while, as on a cluster. */
        TASKS_THAT_LEAVE_ZOMBIES,
        /** As the first, but local stores keep what their changelog has not got. */
        WHOLE_PROCESS_WITH_LOCAL_STORES_AHEAD
    }

    /**
     * How a run ended.
     *
     * @param serving whether what the stores hold equals the projected table
     * @param restored whether what their changelogs hold does
     * @param everywhere whether at every moment each store equalled the table at its tidemark; only
     *     where changelogs were written in whole updates
     */
    record Ending(boolean serving, boolean restored, boolean everywhere) {}

    private static final int PARTITIONS = 2;
    private static final int COMMANDS = 30;
    private static final int STEPS = 500;
    private static final int CALM_FROM = 400;
    private static final List<String> PLACES = List.of("a", "b", "c", "d");

    private static final GlobalIndex INDEX = TestTable.byPlace();
    private static final TableDefinition TABLE = TestTable.definition(PARTITIONS, INDEX);
    private static final ChangeProjection PROJECTION = new ChangeProjection(TABLE, INDEX);
    private static final IndexUpdateCodec CODEC =
            new IndexUpdateCodec(new InMemorySchemaRegistry());
    private static final List<String> IDS = idsOfPartitionZero();

    private final Random random;
    private final RuleMaker ruleMaker;
    private final Crash crash;
    private final boolean wholeUpdates;

    private final List<Command> commands = new ArrayList<>();
    private final List<ChangeRecord> changes = new ArrayList<>();
    private final List<List<byte[]>> updates = new ArrayList<>();
    private final List<List<List<EntryWrite>>> changelogs = new ArrayList<>();
    private final int[] materializedCommitted = new int[PARTITIONS];
    private int baseCommitted;
    private int projectedCommitted;
    private long readCommitted;
    private boolean exactEverywhere = true;

    private Base base;
    private Projecting projecting;
    private final List<Materializing> materializing = new ArrayList<>();
    private final List<Actor> zombies = new ArrayList<>();

    private PipelineModel(long seed, RuleMaker ruleMaker, Crash crash, boolean wholeUpdates) {
        this.random = new Random(seed);
        this.ruleMaker = ruleMaker;
        this.crash = crash;
        this.wholeUpdates = wholeUpdates;
        for (int at = 0; at < COMMANDS; at++) {
            String place = random.nextInt(4) == 0 ? "" : PLACES.get(random.nextInt(4));
            commands.add(new Command(IDS.get(random.nextInt(IDS.size())), place));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            updates.add(new ArrayList<>());
            changelogs.add(new ArrayList<>());
        }
        this.base = new Base(0);
        this.projecting = new Projecting(0, 0);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            materializing.add(new Materializing(partition, 0));
        }
    }

    /** Plays one history to its end. */
    static Ending run(long seed, RuleMaker ruleMaker, Crash crash, boolean wholeUpdates) {
        return new PipelineModel(seed, ruleMaker, crash, wholeUpdates).run();
    }

    private Ending run() {
        for (int step = 0; step < STEPS; step++) {
            double chance = random.nextDouble();
            int sent = new int[] {0, 0, 1, 3}[random.nextInt(4)];
            if (chance < .70) {
                anyActor().act(sent);
            } else if (chance < .80) {
                anyActor().commit();
            } else if (chance < .83 && step < CALM_FROM) {
                crash();
            } else if (!zombies.isEmpty() && chance < .95) {
                zombies.get(random.nextInt(zombies.size())).act(sent);
            } else if (!zombies.isEmpty()) {
                zombies.remove(random.nextInt(zombies.size()));
            }
        }
        finish();
        List<Map<Binary, Item>> wanted = tableAt(commands.size()).projected(INDEX);
        boolean serving = true;
        boolean restored = true;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            serving &=
                    materializing
                            .get(partition)
                            .store
                            .local
                            .entries()
                            .equals(wanted.get(partition));
            restored &= restored(partition).entries().equals(wanted.get(partition));
        }
        return new Ending(serving, restored, exactEverywhere);
    }

    private void finish() {
        while (base.done < commands.size()) {
            base.act(9);
        }
        base.commit();
        while (projecting.at < changes.size()) {
            projecting.act(9);
        }
        projecting.commit();
        for (Materializing each : materializing) {
            while (each.at < updates.get(each.partition).size()) {
                each.act(9);
            }
            each.commit();
        }
    }

    private Actor anyActor() {
        int which = random.nextInt(2 + PARTITIONS);
        return which == 0 ? base : which == 1 ? projecting : materializing.get(which - 2);
    }

    private void crash() {
        if (crash == Crash.TASKS_THAT_LEAVE_ZOMBIES) {
            int which = random.nextInt(2 + PARTITIONS);
            zombies.add(which == 0 ? base : which == 1 ? projecting : materializing.get(which - 2));
            restart(which);
            return;
        }
        for (int which = 0; which < 2 + PARTITIONS; which++) {
            restart(which);
        }
    }

    private void restart(int which) {
        if (which == 0) {
            base = new Base(baseCommitted);
        } else if (which == 1) {
            projecting = new Projecting(projectedCommitted, readCommitted);
        } else {
            int partition = which - 2;
            Materializing dead = materializing.get(partition);
            MemoryEntryStore store =
                    crash == Crash.WHOLE_PROCESS_WITH_LOCAL_STORES_AHEAD
                            ? dead.store.local
                            : restored(partition);
            materializing.set(
                    partition,
                    new Materializing(partition, materializedCommitted[partition], store));
        }
    }

    private MemoryEntryStore restored(int partition) {
        MemoryEntryStore store = new MemoryEntryStore();
        changelogs.get(partition).forEach(store::putAll);
        return store;
    }

    private TestTable tableAt(int done) {
        TestTable table = new TestTable(TABLE);
        commands.subList(0, done).forEach(command -> command.applyTo(table));
        return table;
    }

    /** Returns the entries the table projected to after its change {@code sequence}. */
    private Map<Binary, Item> entriesAt(long sequence, int partition) {
        TestTable table = new TestTable(TABLE);
        for (Command command : commands) {
            if (table.sequence(0) == sequence) {
                break;
            }
            command.applyTo(table);
        }
        return table.projected(INDEX).get(partition);
    }

    private static List<String> idsOfPartitionZero() {
        TestTable table = new TestTable(TABLE);
        List<String> ids = new ArrayList<>();
        for (int number = 0; ids.size() < 3; number++) {
            String id = "item-" + number;
            PrimaryKey key = TABLE.key().keyOf(TestTable.item("id", id)).orElseThrow();
            if (table.partitionOf(key) == 0) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Puts the item with this id at a place, or removes it. */
    private record Command(String id, String place) {
        Optional<ChangeRecord> applyTo(TestTable table) {
            return place.isEmpty()
                    ? table.delete(id)
                    : table.put(TestTable.item("id", id, "place", place));
        }
    }

    private interface Actor {
        /** Takes one step and lets {@code sent} of what it has sent so far arrive. */
        void act(int sent);

        /** Lets all it has sent arrive, then remembers how far it is. */
        void commit();
    }

    /** The owner of the table's partition, a deterministic state machine. */
    private final class Base implements Actor {

        private final TestTable table;
        private final Deque<ChangeRecord> unsent = new ArrayDeque<>();
        private int done;

        Base(int from) {
            this.table = tableAt(from);
            this.done = from;
        }

        @Override
        public void act(int sent) {
            if (done < commands.size()) {
                commands.get(done).applyTo(table).ifPresent(unsent::add);
                done++;
            }
            for (int left = sent; left > 0 && !unsent.isEmpty(); left--) {
                changes.add(unsent.remove());
            }
        }

        @Override
        public void commit() {
            changes.addAll(unsent);
            unsent.clear();
            baseCommitted = done;
        }
    }

    /** Stage 1. */
    private final class Projecting implements Actor {

        private final MarkSchedule marks = new MarkSchedule(0);
        private final ChangeOrder order;
        private final Deque<Addressed> unsent = new ArrayDeque<>();
        private int at;
        private long read;

        Projecting(int from, long lastRead) {
            this.at = from;
            this.read = lastRead;
            // former owners of the table's partition append out of order: gaps are theirs, not ours
            this.order =
                    new ChangeOrder(
                            lastRead,
                            crash == Crash.TASKS_THAT_LEAVE_ZOMBIES ? Long.MAX_VALUE - 1 : 0);
        }

        @Override
        public void act(int sent) {
            if (at < changes.size()) {
                ChangeRecord change = changes.get(at);
                at++;
                read = change.origin().position().sequence();
                boolean isNew = order.isNew(read);
                for (PlacedUpdate placed : PROJECTION.project(change).updates()) {
                    unsent.add(new Addressed(placed.partition(), CODEC.encode(placed.update())));
                }
                marks.projected(read, change.origin().time());
                if (isNew && random.nextInt(5) < 2) {
                    marks.take().ifPresent(this::toAll);
                }
            }
            for (int left = sent; left > 0 && !unsent.isEmpty(); left--) {
                arrive(unsent.remove());
            }
        }

        @Override
        public void commit() {
            marks.take().ifPresent(this::toAll);
            while (!unsent.isEmpty()) {
                arrive(unsent.remove());
            }
            projectedCommitted = at;
            readCommitted = read;
        }

        private void toAll(IndexUpdate mark) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                unsent.add(new Addressed(partition, CODEC.encode(mark)));
            }
        }

        private void arrive(Addressed update) {
            updates.get(update.partition()).add(update.bytes());
        }
    }

    /** An update on its way. */
    private static final class Addressed {
        private final int partition;
        private final byte[] bytes;

        Addressed(int partition, byte[] bytes) {
            this.partition = partition;
            this.bytes = bytes;
        }

        int partition() {
            return partition;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** Stage 2. */
    private final class Materializing implements Actor {

        private final int partition;
        private final LoggedStore store;
        private final Rule rule;
        private int at;

        Materializing(int partition, int from) {
            this(partition, from, new MemoryEntryStore());
        }

        Materializing(int partition, int from, MemoryEntryStore restored) {
            this.partition = partition;
            this.at = from;
            this.store = new LoggedStore(restored, wholeUpdates);
            this.rule = ruleMaker.over(store);
        }

        @Override
        public void act(int sent) {
            List<byte[]> topic = updates.get(partition);
            if (at < topic.size()) {
                rule.apply(CODEC.decodeRaw(topic.get(at)));
                at++;
                checkMoment();
            }
            for (int left = sent; left > 0 && !store.unsent.isEmpty(); left--) {
                changelogs.get(partition).add(store.unsent.remove());
            }
        }

        @Override
        public void commit() {
            changelogs.get(partition).addAll(store.unsent);
            store.unsent.clear();
            materializedCommitted[partition] = at;
        }

        private void checkMoment() {
            if (wholeUpdates && crash == Crash.WHOLE_PROCESS) {
                byte[] tidemark = store.get(Materializer.tidemarkKey(0));
                long sequence = tidemark == null ? 0 : ByteBuffer.wrap(tidemark).getLong();
                exactEverywhere &= store.local.entries().equals(entriesAt(sequence, partition));
            }
        }
    }

    /** A local store and what its producer still holds of its changelog. */
    private static final class LoggedStore implements EntryStore {

        private final MemoryEntryStore local;
        private final boolean wholeUpdates;
        private final Deque<List<EntryWrite>> unsent = new ArrayDeque<>();

        LoggedStore(MemoryEntryStore local, boolean wholeUpdates) {
            this.local = local;
            this.wholeUpdates = wholeUpdates;
        }

        @Override
        public byte @Nullable [] get(byte[] key) {
            return local.get(key);
        }

        @Override
        public void putAll(List<EntryWrite> writes) {
            local.putAll(writes);
            if (wholeUpdates) {
                unsent.add(writes);
            } else {
                writes.forEach(write -> unsent.add(List.of(write)));
            }
        }
    }

    /** Makes this many random changes to {@code table} and returns them. */
    static List<ChangeRecord> history(Random random, TestTable table, int length) {
        List<ChangeRecord> history = new ArrayList<>();
        while (history.size() < length) {
            String place = random.nextInt(4) == 0 ? "" : PLACES.get(random.nextInt(4));
            Command command = new Command(IDS.get(random.nextInt(IDS.size())), place);
            command.applyTo(table).ifPresent(history::add);
        }
        return history;
    }

    static TableDefinition table() {
        return TABLE;
    }

    static GlobalIndex index() {
        return INDEX;
    }

    static ChangeProjection projection() {
        return PROJECTION;
    }

    static IndexUpdateCodec codec() {
        return CODEC;
    }
}
