package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.routing.LogFacts.Place;
import dev.tidemark.query.routing.LogFacts.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFactsTest {

    private static final IndexId INDEX =
            new IndexId(new TableId("abcdefgh"), new IndexName("by-place"), 1);

    @Test
    void whatWasReadAndIsNotPendingIsApplied() {
        LogFacts facts =
                new LogFacts(
                        List.of(new Reading(Optional.of(new Place(8, 80)), place(10, 100))),
                        List.of(Map.of()));

        IndexProgress progress = facts.progress(INDEX).get(0);

        assertThat(progress.tidemark(0).value()).isEqualTo(7);
        assertThat(progress.timeOf(0)).isEqualTo(80);
    }

    @Test
    void anUpdateThatIsPendingIsNotApplied() {
        LogFacts facts =
                new LogFacts(
                        List.of(new Reading(Optional.of(new Place(8, 80)), place(10, 100))),
                        List.of(Map.of(0, new Place(5, 50)), Map.of()));

        List<IndexProgress> progress = facts.progress(INDEX);

        assertThat(progress.get(0).tidemark(0).value()).isEqualTo(4);
        assertThat(progress.get(0).timeOf(0)).isEqualTo(50);
        assertThat(progress.get(1).tidemark(0).value()).isEqualTo(7);
    }

    @Test
    void anIndexThatHasReadAllIsWhereTheTableIs() {
        Reading all = new Reading(Optional.empty(), place(10, 100));

        assertThat(all.sequence()).isEqualTo(10);
        assertThat(all.tableSequence()).isEqualTo(10);
        assertThat(all.timeMillis()).isEqualTo(100);
    }

    @Test
    void aTableWithoutChangesIsAtItsBeginning() {
        Reading none = new Reading(Optional.empty(), Optional.empty());

        assertThat(none.sequence()).isZero();
        assertThat(none.tableSequence()).isZero();
        assertThat(none.timeMillis()).isZero();
    }

    /**
     * A table's partitions make changes, each of which writes to some partitions of the index; the
     * app reads, sends and applies some way and stops anywhere.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatIsToldIsAppliedAndNothingThatIsAppliedIsMissedButMarks(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int partitions = 1 + random.nextInt(3);
            List<Reading> readings = new ArrayList<>();
            List<List<Place>> sent = new ArrayList<>();
            List<List<Integer>> sentOf = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                sent.add(new ArrayList<>());
                sentOf.add(new ArrayList<>());
            }
            long[] read = new long[partitions];
            for (int base = 0; base < partitions; base++) {
                long table = random.nextInt(20);
                read[base] = table == 0 ? 0 : random.nextLong(table + 1);
                readings.add(
                        new Reading(
                                read[base] < table
                                        ? place(read[base] + 1, 10 * (read[base] + 1))
                                        : Optional.empty(),
                                table == 0 ? Optional.empty() : place(table, 10 * table)));
                for (long sequence = 1; sequence <= read[base]; sequence++) {
                    for (int partition = 0; partition < partitions; partition++) {
                        if (random.nextBoolean()) {
                            sent.get(partition).add(new Place(sequence, 10 * sequence));
                            sentOf.get(partition).add(base);
                        }
                    }
                }
            }
            List<Map<Integer, Place>> pending = new ArrayList<>();
            long[][] lacks = new long[partitions][partitions];
            for (int partition = 0; partition < partitions; partition++) {
                Map<Integer, Place> first = new HashMap<>();
                int applied = random.nextInt(sent.get(partition).size() + 1);
                for (int at = applied; at < sent.get(partition).size(); at++) {
                    int base = sentOf.get(partition).get(at);
                    if (first.putIfAbsent(base, sent.get(partition).get(at)) == null) {
                        lacks[partition][base] = sent.get(partition).get(at).sequence();
                    }
                }
                pending.add(first);
            }

            List<IndexProgress> told = new LogFacts(readings, pending).progress(INDEX);

            for (int partition = 0; partition < partitions; partition++) {
                for (int base = 0; base < partitions; base++) {
                    long firstLacking =
                            lacks[partition][base] > 0 ? lacks[partition][base] : read[base] + 1;
                    assertThat(told.get(partition).tidemark(base).value())
                            .isEqualTo(firstLacking - 1);
                    boolean lacksSome = firstLacking <= readings.get(base).tableSequence();
                    assertThat(told.get(partition).timeOf(base))
                            .isEqualTo(10 * (lacksSome ? firstLacking : firstLacking - 1));
                }
            }
        }
    }

    private static Optional<Place> place(long sequence, long time) {
        return Optional.of(new Place(sequence, time));
    }
}
