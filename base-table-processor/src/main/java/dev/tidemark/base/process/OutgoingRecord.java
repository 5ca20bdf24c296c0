package dev.tidemark.base.process;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * The value of a record on its way out, with the partition it goes to: that of the command that
 * caused it, whatever its key.
 */
public final class OutgoingRecord {

    private final int partition;
    private final byte @Nullable [] value;

    OutgoingRecord(int partition, byte @Nullable [] value) {
        this.partition = partition;
        this.value = value;
    }

    /** Returns how the value is written. */
    public static Serializer<OutgoingRecord> serializer() {
        return (topic, outgoing) -> outgoing.value;
    }

    /** Returns what places a record in the partition it says. */
    @SuppressWarnings("removal") // the interface still has its old method as the only abstract one
    public static StreamPartitioner<Object, OutgoingRecord> partitioner() {
        return (topic, key, outgoing, partitions) -> Optional.of(Set.of(outgoing.partition));
    }
}
