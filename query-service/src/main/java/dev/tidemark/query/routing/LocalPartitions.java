package dev.tidemark.query.routing;

import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import java.util.Optional;

/** The partitions that are open on this node. */
record LocalPartitions(ProgressBoard board) {

    boolean isOpen(PartitionRef partition) {
        if (partition instanceof PartitionRef.OfTable table) {
            return base(table).isPresent();
        }
        if (partition instanceof PartitionRef.OfProjection projection) {
            return projection(projection).isPresent();
        }
        return partition instanceof PartitionRef.OfIndex index && index(index).isPresent();
    }

    boolean holds(TableId table) {
        return board.openBases().stream().anyMatch(base -> base.table().equals(table));
    }

    boolean holds(IndexId id) {
        return board.openIndexes().stream().anyMatch(index -> index.index().equals(id))
                || board.openProjections().stream().anyMatch(each -> each.index().equals(id));
    }

    Optional<BaseProgress> base(PartitionRef.OfTable partition) {
        return board.base(partition.table(), partition.partition()).filter(BaseProgress::isOpen);
    }

    Optional<IndexProgress> index(PartitionRef.OfIndex partition) {
        return board.index(partition.index(), partition.partition()).filter(IndexProgress::isOpen);
    }

    Optional<ProjectionProgress> projection(PartitionRef.OfProjection partition) {
        return board.projection(partition.index(), partition.partition())
                .filter(ProjectionProgress::isOpen);
    }
}
