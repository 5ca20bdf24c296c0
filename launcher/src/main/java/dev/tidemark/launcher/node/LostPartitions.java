package dev.tidemark.launcher.node;

import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.write.WriteLog;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Fails the writes that wait for partitions which have left this node: nobody here will tell what
 * became of them.
 */
final class LostPartitions implements ProgressBoard.Listener {

    private final ProgressBoard board;
    private final Function<TableId, Optional<TableDefinition>> tables;
    private final WriteLog log;
    private Set<BaseProgress> open = new HashSet<>();

    LostPartitions(
            ProgressBoard board,
            Function<TableId, Optional<TableDefinition>> tables,
            WriteLog log) {
        this.board = board;
        this.tables = tables;
        this.log = log;
    }

    @Override
    public synchronized void partitionsChanged() {
        Set<BaseProgress> now = new HashSet<>(board.openBases());
        open.removeAll(now);
        for (BaseProgress lost : open) {
            tables.apply(lost.table())
                    .ifPresent(table -> log.partitionsLost(table, List.of(lost.partition())));
        }
        open = now;
    }
}
