package dev.tidemark.query.routing;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.read.IndexFreshness;
import java.util.List;
import java.util.Optional;

/**
 * How far global indexes trail their tables, wherever the partitions of either are. Thread-safe;
 * never blocks.
 *
 * <p>While both are on this node the answer is exact. Of a partition elsewhere the last its node
 * has told counts, which is at most some heartbeats old; the age of a change there is told to
 * within one. A partition that is open nowhere trails on from where Kafka says it is, and until
 * that is found out from where it last was.
 */
public interface LagView extends IndexFreshness.Lags {

    /**
     * Returns how far the whole index trails the whole table, or empty if that is not known yet of
     * some partition of either.
     */
    Optional<IndexLag> lag(TableDefinition table, GlobalIndex index);

    /**
     * Returns how far the whole index trails each partition of the table, in order, or empty if
     * nothing was ever heard of some partition of either.
     */
    Optional<List<IndexLag>> byBasePartition(TableDefinition table, GlobalIndex index);

    /**
     * Returns how far each partition of the index trails the whole table, in order, or empty if
     * nothing was ever heard of some partition of either.
     */
    Optional<List<IndexLag>> byIndexPartition(TableDefinition table, GlobalIndex index);
}
