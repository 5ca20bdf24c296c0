package dev.tidemark.query.routing;

import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import java.util.Optional;

/**
 * How far tables and indexes are that no node has open, or has told of, from what stands in Kafka.
 * Thread-safe; never blocks.
 */
public interface LoggedProgress {

    /** Knows nothing. */
    LoggedProgress NONE =
            new LoggedProgress() {
                @Override
                public Optional<IndexProgress> index(
                        TableDefinition table, PartitionRef.OfIndex partition) {
                    return Optional.empty();
                }

                @Override
                public Optional<BaseProgress> base(
                        TableDefinition table, PartitionRef.OfTable partition) {
                    return Optional.empty();
                }
            };

    /**
     * Returns how far a partition of an index is whose app does not run: it has applied at least
     * what is said. Its times are those of the first changes it lacks, or of the last it has if it
     * lacks none. Empty if that is not known yet; then it is found out, and soon known.
     */
    Optional<IndexProgress> index(TableDefinition table, PartitionRef.OfIndex partition);

    /** Returns how far a partition of a table is whose app does not run; empty as above. */
    Optional<BaseProgress> base(TableDefinition table, PartitionRef.OfTable partition);
}
