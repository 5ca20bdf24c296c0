package dev.tidemark.query.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Differences counted, and the first of them kept. Not thread-safe. */
final class DifferenceList implements Consumer<Difference> {

    private final int most;
    private final List<Difference> first = new ArrayList<>();
    private final List<Map<Difference.Kind, Long>> byPartition = new ArrayList<>();
    private final Map<Difference.Kind, Long> all = new EnumMap<>(Difference.Kind.class);
    private long unmendable;

    /** Makes a list that keeps the first {@code most}. */
    DifferenceList(int partitions, int most) {
        this.most = most;
        for (int partition = 0; partition < partitions; partition++) {
            byPartition.add(new EnumMap<>(Difference.Kind.class));
        }
    }

    @Override
    public void accept(Difference difference) {
        all.merge(difference.kind(), 1L, Long::sum);
        if (difference.partition() >= 0) {
            byPartition.get(difference.partition()).merge(difference.kind(), 1L, Long::sum);
        }
        if (!difference.mendable()) {
            unmendable++;
        }
        if (first.size() < most) {
            first.add(difference);
        }
    }

    long count(Difference.Kind kind) {
        return all.getOrDefault(kind, 0L);
    }

    long count(int partition, Difference.Kind kind) {
        return byPartition.get(partition).getOrDefault(kind, 0L);
    }

    long total() {
        return all.values().stream().mapToLong(Long::longValue).sum();
    }

    long unmendable() {
        return unmendable;
    }

    List<Difference> first() {
        return List.copyOf(first);
    }
}
