package dev.tidemark.query.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.Binary;
import dev.tidemark.query.verify.SimulatedTable.Place;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is found is what is wrong at the position, though every row is read at another time while
 * writes go on and the index trails them.
 */
class ComparisonTest {

    private static final int MANY = 1_000_000;

    static Stream<Long> seeds() {
        return LongStream.range(0, 150).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsFoundInASoundIndex(long seed) {
        Random random = new Random(seed);
        SimulatedTable table = new SimulatedTable(random);
        table.settle(200);

        Run run = new Run(table, random, random.nextBoolean());

        assertThat(run.found).isEmpty();
        assertThat(run.sumsOf(run.comparison.expected())).isEqualTo(run.sumsOf(run.atPosition));
        assertThat(run.comparison.expected().differingFrom(run.comparison.present()))
                .allMatch(BitSet::isEmpty);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsWrongAndNotWrittenSinceIsFoundAndNothingElse(long seed) {
        Random random = new Random(seed);
        SimulatedTable table = new SimulatedTable(random);
        table.settle(200);
        Map<Place, Difference.Kind> wrong = table.corrupt(1 + random.nextInt(12));

        Run run = new Run(table, random, true);

        Map<Place, Difference.Kind> found = run.foundPlaces();
        assertThat(wrong).containsAllEntriesOf(found);
        Map<Place, Difference.Kind> untouched = new HashMap<>(wrong);
        untouched.keySet().removeAll(run.touched);
        assertThat(found).containsAllEntriesOf(untouched);
        assertThat(run.sumsOf(run.comparison.expected())).isEqualTo(run.sumsOf(run.atPosition));
        assertThat(run.comparison.expected().differingFrom(run.comparison.present()))
                .isEqualTo(run.bucketsOf(found.keySet()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sumsAloneTellWhichGroupsAreWrong(long seed) {
        Random random = new Random(seed);
        SimulatedTable table = new SimulatedTable(random);
        table.settle(200);
        Map<Place, Difference.Kind> wrong = table.corrupt(1 + random.nextInt(12));

        Run run = new Run(table, random, false);

        Set<Place> untouched = new HashSet<>(wrong.keySet());
        untouched.removeAll(run.touched);
        List<BitSet> differing = run.comparison.expected().differingFrom(run.comparison.present());
        List<BitSet> certain = run.bucketsOf(untouched);
        List<BitSet> possible = run.bucketsOf(wrong.keySet());
        for (int base = 0; base < differing.size(); base++) {
            BitSet missed = (BitSet) certain.get(base).clone();
            missed.andNot(differing.get(base));
            assertThat(missed.isEmpty()).as("all that is wrong differs").isTrue();
            BitSet invented = (BitSet) differing.get(base).clone();
            invented.andNot(possible.get(base));
            assertThat(invented.isEmpty()).as("all that differs is wrong").isTrue();
        }
        assertThat(run.found).isEmpty();
    }

    @Test
    void entryThatNoChangeCanReachIsFoundAndSaidNotToBeMendable() {
        Random random = new Random(1);
        SimulatedTable table = new SimulatedTable(random);
        table.settle(50);
        table.plantStrays();

        Run run = new Run(table, random, false);

        assertThat(run.comparison.strays()).isEqualTo(2);
        assertThat(run.found)
                .hasSize(2)
                .allSatisfy(
                        difference -> {
                            assertThat(difference.kind()).isEqualTo(Difference.Kind.DANGLING);
                            assertThat(difference.mendable()).isFalse();
                        });
        assertThat(run.found).filteredOn(stray -> stray.key().isPresent()).hasSize(1);
    }

    @Test
    void moreChangesThanCanBeKeptInMindAreSaid() {
        SimulatedTable table = new SimulatedTable(new Random(2));
        table.settle(50);
        table.position();
        Comparison comparison = new Comparison(table.model, none(table), 3, difference -> {});

        assertThatExceptionOfType(TooManyChangesException.class)
                .isThrownBy(
                        () -> {
                            for (int left = 50; left > 0; left--) {
                                table.write();
                                table.news().forEach(comparison::changed);
                            }
                        });
    }

    private static List<BitSet> none(SimulatedTable table) {
        return Collections.nCopies(table.model.partitions(), new BitSet());
    }

    /** One comparison of a table that goes on being written to. */
    private static final class Run {

        private final SimulatedTable table;
        private final Random random;
        private final Comparison comparison;
        private final Buckets atPosition;
        private final List<Difference> found = new ArrayList<>();
        private final Set<Place> touched = new HashSet<>();

        Run(SimulatedTable table, Random random, boolean oneByOne) {
            this.table = table;
            this.random = random;
            BitSet all = new BitSet();
            all.set(0, IndexModel.BUCKETS);
            List<BitSet> suspicious =
                    oneByOne ? Collections.nCopies(table.model.partitions(), all) : none(table);
            table.position();
            atPosition = table.projected();
            comparison = new Comparison(table.model, suspicious, MANY, found::add);
            for (int base = 0; base < table.model.partitions(); base++) {
                readItems(base);
            }
            for (int partition = 0; partition < table.model.partitions(); partition++) {
                readEntries(partition);
            }
        }

        private void readItems(int base) {
            byte[] after = {};
            boolean isLast = false;
            while (!isLast) {
                goOn();
                List<Row> rows = page(base, after, table.items);
                isLast =
                        rows.isEmpty()
                                || (random.nextInt(10) == 0 && isEnd(rows, table.items, base));
                goOn();
                List<Row> lookedUp = new ArrayList<>();
                comparison
                        .entriesToLookUp(base, rows)
                        .forEach(
                                (partition, keys) -> {
                                    goOn();
                                    lookedUp.addAll(
                                            SimulatedTable.find(
                                                    table.entries.get(partition), keys));
                                });
                goOn();
                follow();
                comparison.items(base, rows, isLast, Rows.of(lookedUp));
                after = rows.isEmpty() ? after : rows.get(rows.size() - 1).key();
            }
        }

        private void readEntries(int partition) {
            byte[] after = {};
            boolean isLast = false;
            while (!isLast) {
                goOn();
                List<Row> rows = page(partition, after, table.entries);
                isLast = rows.isEmpty();
                List<Row> lookedUp = new ArrayList<>();
                comparison
                        .itemsToLookUp(rows)
                        .forEach(
                                (base, keys) -> {
                                    goOn();
                                    lookedUp.addAll(
                                            SimulatedTable.find(table.items.get(base), keys));
                                });
                goOn();
                follow();
                comparison.entries(partition, rows, isLast, Rows.of(lookedUp));
                after = rows.isEmpty() ? after : rows.get(rows.size() - 1).key();
            }
        }

        private List<Row> page(
                int partition, byte[] after, List<NavigableMap<Binary, byte[]>> stores) {
            return SimulatedTable.page(
                    stores.get(partition), after, 1 + random.nextInt(8), this::goOnSometimes);
        }

        private static boolean isEnd(
                List<Row> rows, List<NavigableMap<Binary, byte[]>> stores, int partition) {
            Binary last = Binary.wrap(rows.get(rows.size() - 1).key());
            return stores.get(partition).higherKey(last) == null;
        }

        private void goOnSometimes() {
            if (random.nextInt(4) == 0) {
                goOn();
            }
        }

        /** Writes go on and the index gets on with them, if at all. */
        private void goOn() {
            for (int left = random.nextInt(3); left > 0; left--) {
                if (random.nextBoolean()) {
                    table.write();
                }
            }
            table.applySome();
        }

        private void follow() {
            table.news()
                    .forEach(
                            change -> {
                                for (IndexWrite write : table.maintenance.writesFor(change)) {
                                    touched.add(Place.of(write));
                                }
                                comparison.changed(change);
                            });
        }

        private Map<Place, Difference.Kind> foundPlaces() {
            Map<Place, Difference.Kind> places = new HashMap<>();
            for (Difference difference : found) {
                Place place = table.placeOf(difference);
                assertThat(places.put(place, difference.kind())).as("found once").isNull();
            }
            return places;
        }

        private List<BitSet> bucketsOf(Set<Place> places) {
            List<BitSet> buckets = new ArrayList<>();
            for (int base = 0; base < table.model.partitions(); base++) {
                buckets.add(new BitSet());
            }
            for (Place place : places) {
                buckets.get(table.model.basePartition(place.tableKey()))
                        .set(IndexModel.bucket(place.tableKey()));
            }
            return buckets;
        }

        private List<String> sumsOf(Buckets buckets) {
            return IntStream.range(0, table.model.partitions())
                    .mapToObj(buckets::of)
                    .map(sum -> sum.count() + " " + sum.digest())
                    .toList();
        }
    }
}
