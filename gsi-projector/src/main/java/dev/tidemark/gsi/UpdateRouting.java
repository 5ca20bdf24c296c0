package dev.tidemark.gsi;

import dev.tidemark.model.key.Partitioning;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sends an update to the partition of its key, and a mark to every partition. */
final class UpdateRouting implements StreamPartitioner<byte[], byte[]> {

    /** The key of marks. No index partition key is empty. */
    static final byte[] MARK_KEY = new byte[0];

    private final int partitions;
    private final Set<Integer> all;

    UpdateRouting(int partitions) {
        this.partitions = partitions;
        this.all = IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet());
    }

    @Override
    @SuppressWarnings("removal") // still the abstract method; the other one calls it
    public Optional<Set<Integer>> partitions(
            String topic, byte[] key, byte[] value, int numPartitions) {
        if (numPartitions != partitions) {
            throw new IllegalStateException("An index has as many partitions as its table");
        }
        return Optional.of(key.length == 0 ? all : Set.of(Partitioning.partition(key, partitions)));
    }
}
