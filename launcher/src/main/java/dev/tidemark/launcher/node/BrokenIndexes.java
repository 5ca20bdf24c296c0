package dev.tidemark.launcher.node;

import dev.tidemark.gsi.IndexAppListener;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.GenerationChange;
import dev.tidemark.query.catalog.TableChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Indexes on this node whose apps have stopped for good: they answer nothing until the node is
 * started again. Those that compaction has overtaken, so that changes they had not read are gone,
 * are never trusted again, and built anew. Thread-safe.
 */
final class BrokenIndexes implements IndexAppListener {

    private final IndexAppListener next;
    private final Set<IndexId> stopped = ConcurrentHashMap.newKeySet();
    private final Set<IndexId> overtaken = ConcurrentHashMap.newKeySet();

    /**
     * Makes it.
     *
     * @param next is told everything, too
     */
    BrokenIndexes(IndexAppListener next) {
        this.next = next;
    }

    @Override
    public void stopped(IndexId index, String reason) {
        next.stopped(index, reason);
        stopped.add(index);
    }

    /** Returns whether the index's app has stopped here for good. */
    boolean has(IndexId index) {
        return stopped.contains(index);
    }

    @Override
    public void unsuitable(IndexId index, Unsuitable why) {
        next.unsuitable(index, why);
    }

    @Override
    public void overtaken(IndexId index) {
        next.overtaken(index);
        overtaken.add(index);
    }

    /**
     * Returns the command that has an overtaken generation of an index built anew, and forgets that
     * it was overtaken; empty if it was not. Only of tables whose history is compacted: a full one
     * that lacks changes would lack them again.
     */
    Optional<CatalogCommand> take(TableDefinition table, GlobalIndex index, Instant now) {
        if (!table.compactsHistory() || !overtaken.remove(IndexId.of(table, index))) {
            return Optional.empty();
        }
        Optional<SpareGeneration> spare =
                table.options().spares().stream()
                        .filter(each -> each.index().equals(index))
                        .findFirst();
        List<TableChange> changes;
        if (spare.isPresent() && spare.get().purpose() == Purpose.NEXT) {
            changes =
                    List.of(
                            new GenerationChange.DiscardGeneration(index.name(), Purpose.NEXT),
                            new GenerationChange.StartNextGeneration(
                                    index.name(),
                                    Optional.of(index.key()),
                                    Optional.of(index.projection()),
                                    spare.get().takesOver(),
                                    spare.get().keepsPrevious(),
                                    now,
                                    TableChange.MAX_GLOBAL_INDEXES));
        } else if (spare.isPresent()) {
            changes =
                    List.of(new GenerationChange.DiscardGeneration(index.name(), Purpose.PREVIOUS));
        } else if (index.status() == IndexStatus.ACTIVE
                && table.spare(index.name(), Purpose.NEXT).isEmpty()) {
            changes =
                    List.of(
                            new GenerationChange.StartNextGeneration(
                                    index.name(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    true,
                                    false,
                                    now,
                                    TableChange.MAX_GLOBAL_INDEXES));
        } else {
            return Optional.empty();
        }
        return Optional.of(new CatalogCommand.UpdateTable(table.id(), changes));
    }
}
