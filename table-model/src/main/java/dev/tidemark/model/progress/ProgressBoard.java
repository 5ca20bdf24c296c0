package dev.tidemark.model.progress;

import dev.tidemark.model.table.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The progress of all tasks on this node. A partition that is on the board and open has restored
 * its stores and may be read. Thread-safe.
 */
public final class ProgressBoard {

    /**
     * Is told when a partition comes to this node or leaves it; on the task's thread, so it must
     * not block.
     */
    public interface Listener {
        void partitionsChanged();
    }

    private record BaseKey(TableId table, int partition) {}

    private record IndexKey(IndexId index, int partition) {}

    private record ProjectionKey(IndexId index, int basePartition) {}

    private final Map<BaseKey, BaseProgress> bases = new ConcurrentHashMap<>();
    private final Map<IndexKey, IndexProgress> indexes = new ConcurrentHashMap<>();
    private final Map<ProjectionKey, ProjectionProgress> projections = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Puts a table partition that is ready on the board. */
    public void open(BaseProgress progress) {
        bases.put(new BaseKey(progress.table(), progress.partition()), progress);
        listeners.forEach(Listener::partitionsChanged);
    }

    /** Puts an index partition that is ready on the board. */
    public void open(IndexProgress progress) {
        indexes.put(new IndexKey(progress.index(), progress.partition()), progress);
        listeners.forEach(Listener::partitionsChanged);
    }

    /** Puts the projection of a table partition into an index, which is ready, on the board. */
    public void open(ProjectionProgress progress) {
        projections.put(new ProjectionKey(progress.index(), progress.basePartition()), progress);
        listeners.forEach(Listener::partitionsChanged);
    }

    /**
     * Closes a table partition; its last progress stays readable unless a newer one has taken its
     * place.
     */
    public void close(BaseProgress progress) {
        progress.close();
        listeners.forEach(Listener::partitionsChanged);
    }

    /**
     * Closes an index partition; its last tidemarks stay readable unless newer ones have taken
     * their place.
     */
    public void close(IndexProgress progress) {
        progress.close();
        listeners.forEach(Listener::partitionsChanged);
    }

    /** Closes the projection of a table partition into an index. */
    public void close(ProjectionProgress progress) {
        progress.close();
        listeners.forEach(Listener::partitionsChanged);
    }

    /** Returns the newest progress of a table partition on this node, open or closed. */
    public Optional<BaseProgress> base(TableId table, int partition) {
        return Optional.ofNullable(bases.get(new BaseKey(table, partition)));
    }

    /** Returns the newest progress of an index partition on this node, open or closed. */
    public Optional<IndexProgress> index(IndexId index, int partition) {
        return Optional.ofNullable(indexes.get(new IndexKey(index, partition)));
    }

    /**
     * Returns the newest progress of the projection of a table partition into an index on this
     * node, open or closed.
     */
    public Optional<ProjectionProgress> projection(IndexId index, int basePartition) {
        return Optional.ofNullable(projections.get(new ProjectionKey(index, basePartition)));
    }

    /** Returns the table partitions that are open on this node. */
    public List<BaseProgress> openBases() {
        return bases.values().stream().filter(BaseProgress::isOpen).toList();
    }

    /** Returns the index partitions that are open on this node. */
    public List<IndexProgress> openIndexes() {
        return indexes.values().stream().filter(IndexProgress::isOpen).toList();
    }

    /** Returns the projections that are open on this node. */
    public List<ProjectionProgress> openProjections() {
        return projections.values().stream().filter(ProjectionProgress::isOpen).toList();
    }

    /** Forgets a table and its indexes, which are gone. */
    public void forget(TableId table) {
        bases.keySet().removeIf(key -> key.table().equals(table));
        indexes.keySet().removeIf(key -> key.index().table().equals(table));
        projections.keySet().removeIf(key -> key.index().table().equals(table));
    }

    /** Forgets one generation of an index, which is gone. */
    public void forget(IndexId index) {
        indexes.keySet().removeIf(key -> key.index().equals(index));
        projections.keySet().removeIf(key -> key.index().equals(index));
    }
}
