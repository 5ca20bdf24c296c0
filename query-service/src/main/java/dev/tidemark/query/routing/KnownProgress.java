package dev.tidemark.query.routing;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Questions about all partitions of a table or an index, asked partition by partition. */
final class KnownProgress {

    private KnownProgress() {}

    static List<PartitionRef.OfTable> partitions(TableDefinition table) {
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new PartitionRef.OfTable(table.id(), partition))
                .toList();
    }

    /** Returns the partitions of an index, which has as many as its table. */
    static List<PartitionRef.OfIndex> partitions(TableDefinition table, GlobalIndex index) {
        IndexId id = IndexId.of(table, index);
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new PartitionRef.OfIndex(id, partition))
                .toList();
    }

    /** Returns where the changes of each partition of a table are projected into an index. */
    static List<PartitionRef.OfProjection> projections(TableDefinition table, GlobalIndex index) {
        IndexId id = IndexId.of(table, index);
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new PartitionRef.OfProjection(id, partition))
                .toList();
    }

    /** Returns what is found for every partition, or empty if for one nothing is. */
    static <P extends PartitionRef, T> Optional<List<T>> ofAll(
            List<P> partitions, Function<P, Optional<T>> find) {
        List<T> all = new ArrayList<>(partitions.size());
        for (P partition : partitions) {
            Optional<T> found = find.apply(partition);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            all.add(found.get());
        }
        return Optional.of(all);
    }

    /** Returns the lowest tidemark that any of the partitions has for each partition of a table. */
    static List<Long> lowestTidemarks(List<IndexProgress> partitions) {
        return IntStream.range(0, partitions.get(0).basePartitions())
                .mapToObj(
                        base ->
                                partitions.stream()
                                        .mapToLong(progress -> progress.tidemark(base).value())
                                        .min()
                                        .orElseThrow())
                .toList();
    }
}
