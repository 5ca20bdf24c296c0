package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The last change of each table partition that this node has told a client of. Thread-safe. */
public final class AcknowledgedWrites {

    private record Key(TableId table, int partition) {}

    private final Map<Key, AtomicLong> sequences = new ConcurrentHashMap<>();

    /** Remembers that a client is told of the change at this position. */
    public void acknowledged(TableId table, Position position) {
        AtomicLong sequence =
                sequences.computeIfAbsent(
                        new Key(table, position.partition()), unseen -> new AtomicLong());
        if (sequence.get() < position.sequence()) {
            sequence.accumulateAndGet(position.sequence(), Math::max);
        }
    }

    /** Returns the last position of each partition that any client was told of. */
    public List<Position> of(TableId table, int partitions) {
        List<Position> positions = new ArrayList<>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            AtomicLong sequence = sequences.get(new Key(table, partition));
            if (sequence != null) {
                positions.add(new Position(partition, sequence.get()));
            }
        }
        return positions;
    }

    /** Forgets a table that is gone. */
    public void forget(TableId table) {
        sequences.keySet().removeIf(key -> key.table().equals(table));
    }
}
