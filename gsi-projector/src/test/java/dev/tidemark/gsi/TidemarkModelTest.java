package dev.tidemark.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.PipelineModel.Crash;
import dev.tidemark.gsi.PipelineModel.Ending;
import dev.tidemark.gsi.PipelineModel.Rule;
import dev.tidemark.gsi.PipelineModel.RuleMaker;
import dev.tidemark.gsi.materialize.EntryStore;
import dev.tidemark.gsi.materialize.EntryWrite;
import dev.tidemark.gsi.materialize.Materializer;
import dev.tidemark.gsi.projection.ChangeGapException;
import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.wire.RawIndexUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Guarantee 5 under crashes: an index at a tidemark equals the projection of the table there. Each
 * test plays thousands of random histories through the real classes and counts those that end
 * wrong; the tests with a broken rule show that the play would notice.
 */
class TidemarkModelTest {

    private static final int SEEDS = 4_000;
    private static final RuleMaker REAL =
            store -> {
                Materializer materializer = new Materializer(store, 1);
                return materializer::apply;
            };

    @Test
    void afterCrashesOfTheWholeProcessTheIndexIsExact() {
        LongFunction<Ending> run =
                seed -> PipelineModel.run(seed, REAL, Crash.WHOLE_PROCESS, false);

        assertThat(wrong(run, ending -> ending.serving() && ending.restored())).isEmpty();
    }

    @Test
    void atEveryMomentTheIndexEqualsTheTableAtItsTidemark() {
        LongFunction<Ending> run = seed -> PipelineModel.run(seed, REAL, Crash.WHOLE_PROCESS, true);

        assertThat(
                        wrong(
                                run,
                                ending ->
                                        ending.everywhere()
                                                && ending.serving()
                                                && ending.restored()))
                .isEmpty();
    }

    @Test
    void ruleThatTrustsOnlyMarksIsCaught() {
        LongFunction<Ending> run =
                seed -> PipelineModel.run(seed, MarkRule::new, Crash.WHOLE_PROCESS, false);

        assertThat(isSometimesWrong(run, Ending::serving)).isTrue();
    }

    @Test
    void formerOwnersThatAreNotFencedMakeTheIndexWrong() {
        LongFunction<Ending> run =
                seed -> PipelineModel.run(seed, REAL, Crash.TASKS_THAT_LEAVE_ZOMBIES, false);

        assertThat(isSometimesWrong(run, Ending::restored))
                .as("why clusters need exactly_once: this is what fencing prevents")
                .isTrue();
    }

    @Test
    void localStoreAheadOfItsChangelogMakesARestoreWrong() {
        LongFunction<Ending> run =
                seed ->
                        PipelineModel.run(
                                seed, REAL, Crash.WHOLE_PROCESS_WITH_LOCAL_STORES_AHEAD, false);

        assertThat(isSometimesWrong(run, Ending::restored))
                .as("why the stores are transactional under at_least_once as well")
                .isTrue();
    }

    @Test
    void compactedHistoryIsExactWhileTheCleanerStaysBehindTheReader() {
        assertThat(compacted(false, true)).containsOnly(Replay.RIGHT);
    }

    @Test
    void cleanerThatOvertakesTheReaderIsNoticed() {
        assertThat(compacted(true, true)).contains(Replay.STOPPED).doesNotContain(Replay.WRONG);
    }

    @Test
    void cleanerThatOvertakesTheReaderWouldMakeTheIndexWrongIfItWentOn() {
        assertThat(compacted(true, false)).contains(Replay.WRONG);
    }

    private static List<Long> wrong(LongFunction<Ending> run, Predicate<Ending> right) {
        return LongStream.range(0, SEEDS)
                .filter(seed -> !right.test(run.apply(seed)))
                .boxed()
                .toList();
    }

    private static boolean isSometimesWrong(LongFunction<Ending> run, Predicate<Ending> right) {
        return LongStream.range(0, SEEDS).anyMatch(seed -> !right.test(run.apply(seed)));
    }

    private static Stream<Replay> compacted(boolean overtaken, boolean checked) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> replay(seed, overtaken, checked));
    }

    /** How the replay of a compacted history ended. */
    private enum Replay {
        RIGHT,
        WRONG,
        STOPPED
    }

    /** Builds an index from a log that is compacted behind the reader, or anywhere. */
    private static Replay replay(long seed, boolean overtaken, boolean checked) {
        Random random = new Random(seed);
        TestTable table = new TestTable(PipelineModel.table());
        List<ChangeRecord> log =
                new ArrayList<>(PipelineModel.history(random, table, 20 + random.nextInt(20)));
        long end = table.sequence(0);
        long compactedUpTo = random.nextInt((int) end + 1);
        clean(log, compactedUpTo);
        ChangeOrder order = new ChangeOrder(0, checked ? compactedUpTo : end);
        List<MemoryEntryStore> stores = List.of(new MemoryEntryStore(), new MemoryEntryStore());
        List<Materializer> materializers =
                stores.stream().map(store -> new Materializer(store, 1)).toList();
        long read = 0;
        while (true) {
            if (random.nextInt(100) < 15) {
                clean(log, random.nextInt((int) (overtaken ? end : read) + 1));
            }
            Optional<ChangeRecord> next = after(log, read);
            if (next.isEmpty()) {
                break;
            }
            read = next.get().origin().position().sequence();
            try {
                order.isNew(read);
            } catch (ChangeGapException e) {
                return Replay.STOPPED;
            }
            for (PlacedUpdate placed : PipelineModel.projection().project(next.get()).updates()) {
                byte[] bytes = PipelineModel.codec().encode(placed.update());
                materializers.get(placed.partition()).apply(PipelineModel.codec().decodeRaw(bytes));
            }
        }
        return stores.stream()
                        .map(MemoryEntryStore::entries)
                        .toList()
                        .equals(table.projected(PipelineModel.index()))
                ? Replay.RIGHT
                : Replay.WRONG;
    }

    private static Optional<ChangeRecord> after(List<ChangeRecord> log, long read) {
        return log.stream()
                .filter(change -> change.origin().position().sequence() > read)
                .findFirst();
    }

    /**
     * Keeps of the changes up to {@code sequence} only the last of each key, as compaction does.
     */
    private static void clean(List<ChangeRecord> log, long sequence) {
        Map<PrimaryKey, ChangeRecord> last = new HashMap<>();
        log.stream()
                .filter(change -> change.origin().position().sequence() <= sequence)
                .forEach(change -> last.put(change.key(), change));
        log.removeIf(
                change ->
                        change.origin().position().sequence() <= sequence
                                && last.get(change.key()) != change);
    }

    /** A rule that is wrong: it drops updates at or below the last mark, and marks trail. */
    private static final class MarkRule implements Rule {

        private final EntryStore store;
        private long marked;

        MarkRule(EntryStore store) {
            this.store = store;
            byte[] stored = store.get(Materializer.tidemarkKey(0));
            this.marked = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
        }

        @Override
        public void apply(RawIndexUpdate update) {
            if (update.isMark()) {
                marked = Math.max(marked, update.sequence());
                byte[] value = ByteBuffer.allocate(16).putLong(marked).array();
                store.putAll(List.of(new EntryWrite(Materializer.tidemarkKey(0), value)));
            } else if (update.sequence() > marked) {
                List<EntryWrite> writes = new ArrayList<>();
                update.deleteKey().ifPresent(key -> writes.add(new EntryWrite(key, null)));
                update.putKey()
                        .ifPresent(
                                key ->
                                        writes.add(
                                                new EntryWrite(
                                                        key, update.storedItem().orElseThrow())));
                store.putAll(writes);
            }
        }
    }
}
