package dev.tidemark.query;

import dev.tidemark.model.write.WriteLog;
import dev.tidemark.query.read.AcknowledgedWrites;
import dev.tidemark.query.read.IndexFreshness;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.query.read.ReadIndex;
import java.util.concurrent.Executor;

/**
 * What the operations on items work with.
 *
 * @param tables the tables of now
 * @param log where writes go
 * @param router which node serves a partition
 * @param stores the stores on this node
 * @param readIndex for strong reads
 * @param freshness for reads of global indexes
 * @param acknowledged what this node has told its clients
 * @param workers where stores are read; may refuse work
 */
public record Services(
        TableLookup tables,
        WriteLog log,
        PartitionRouter router,
        PartitionStores stores,
        ReadIndex readIndex,
        IndexFreshness freshness,
        AcknowledgedWrites acknowledged,
        Executor workers) {}
