package dev.tidemark.query.routing;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import java.util.List;
import java.util.Optional;

/** One node that is all there is. */
final class LoneCluster implements Cluster {

    private final NodeAddress address;
    private final ProgressBoard board;
    private final LocalPartitions local;

    LoneCluster(NodeAddress address, ProgressBoard board) {
        this.address = address;
        this.board = board;
        this.local = new LocalPartitions(board);
    }

    @Override
    public boolean isHere(PartitionRef partition) {
        return local.isOpen(partition);
    }

    @Override
    public Optional<NodeAddress> owner(PartitionRef partition) {
        return isHere(partition) ? Optional.of(address) : Optional.empty();
    }

    @Override
    public List<NodeAddress> nodes() {
        return List.of(address);
    }

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public boolean isOpen(TableDefinition table) {
        return KnownProgress.partitions(table).stream().allMatch(local::isOpen);
    }

    @Override
    public boolean isOpen(TableDefinition table, GlobalIndex index) {
        return KnownProgress.partitions(table, index).stream().allMatch(local::isOpen);
    }

    @Override
    public boolean isHeld(TableId table) {
        return local.holds(table);
    }

    @Override
    public boolean isHeld(IndexId index) {
        return local.holds(index);
    }

    @Override
    public Optional<List<Long>> sequences(TableDefinition table) {
        return KnownProgress.ofAll(
                KnownProgress.partitions(table),
                partition -> local.base(partition).map(base -> base.sequence().value()));
    }

    @Override
    public Optional<List<Long>> tidemarks(TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(KnownProgress.partitions(table, index), local::index)
                .map(KnownProgress::lowestTidemarks);
    }

    @Override
    public Optional<List<ProjectionCounts>> projections(TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(
                KnownProgress.projections(table, index),
                partition -> local.projection(partition).map(ProjectionProgress::counts));
    }

    @Override
    public void addListener(ProgressBoard.Listener listener) {
        board.addListener(listener);
    }

    @Override
    public void forget(TableId table) {
        board.forget(table);
    }

    @Override
    public void forget(IndexId index) {
        board.forget(index);
    }
}
