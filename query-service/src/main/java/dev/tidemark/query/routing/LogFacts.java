package dev.tidemark.query.routing;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What stands in Kafka about an index whose app does not run.
 *
 * @param changes of each partition of the table, where the app stopped reading changes
 * @param pending of each partition of the index, the first update not yet applied of each partition
 *     of the table that has one
 */
record LogFacts(List<Reading> changes, List<Map<Integer, Place>> pending) {

    LogFacts {
        changes = List.copyOf(changes);
        pending = List.copyOf(pending);
    }

    /**
     * A change.
     *
     * @param sequence its place among the changes of its partition
     * @param timeMillis when it happened, in epoch milliseconds
     */
    record Place(long sequence, long timeMillis) {}

    /**
     * Where the app stopped reading the changes of one partition of the table.
     *
     * @param next the first change it has not read, if there is one
     * @param last the last change there is, if there is one
     */
    record Reading(Optional<Place> next, Optional<Place> last) {

        /** Returns the sequence of the last change that was read. */
        long sequence() {
            return next.map(place -> place.sequence() - 1)
                    .or(() -> last.map(Place::sequence))
                    .orElse(0L);
        }

        /** Returns the time of the first change that was not read, or of the last there is. */
        long timeMillis() {
            return next.or(() -> last).map(Place::timeMillis).orElse(0L);
        }

        /** Returns the sequence of the last change there is. */
        long tableSequence() {
            return last.or(() -> next).map(Place::sequence).orElse(0L);
        }
    }

    /**
     * Returns how far each partition of the index is. What was read is applied, but for the updates
     * that are still pending: everything before the first of them is.
     */
    List<IndexProgress> progress(IndexId index) {
        return IntStream.range(0, pending.size())
                .mapToObj(partition -> progress(index, partition))
                .toList();
    }

    private IndexProgress progress(IndexId index, int partition) {
        long[] sequences = new long[changes.size()];
        long[] times = new long[changes.size()];
        for (int base = 0; base < changes.size(); base++) {
            Reading read = changes.get(base);
            Optional<Place> first =
                    Optional.ofNullable(pending.get(partition).get(base))
                            .filter(place -> place.sequence() <= read.sequence());
            sequences[base] =
                    first.map(place -> Math.max(0, place.sequence() - 1)).orElse(read.sequence());
            times[base] = first.map(Place::timeMillis).orElse(read.timeMillis());
        }
        return new IndexProgress(index, partition, sequences, times);
    }
}
