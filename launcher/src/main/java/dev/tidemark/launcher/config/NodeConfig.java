package dev.tidemark.launcher.config;

import dev.tidemark.query.pressure.LagBound;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * All settings of one node, checked.
 *
 * @param http where clients connect
 * @param internal where other nodes connect
 * @param nodeId unique among the nodes of a cluster
 * @param roles what the node does, at least one
 * @param dataFolder where stores and the embedded log are kept
 * @param kafka which Kafka holds the log
 * @param schemaRegistry an outside schema registry
 * @param region the region in ARNs
 * @param tablePartitions partitions of a new table
 * @param itemCollectionLimit the most bytes of an item collection of a new table
 * @param expiryInterval how often expired items are looked for
 * @param writeTimeout the longest a write waits for its outcome
 * @param writeLinger how long the log's producer gathers writes
 * @param baseCommitInterval how often a table's transaction is committed
 * @param exactlyOnceIndexes whether index apps run exactly once instead of at least once
 * @param onlineIndexOperations how many indexes of a table may be made or removed at once
 * @param backfillRate how fast an added index is filled at most
 * @param maxLag how far an index may trail its table before writes are held back
 * @param verifyInterval how often indexes are compared with their tables, if they are
 * @param verifyRate how many rows a second are read to compare at most
 * @param indexReadWait how long an index read waits for this node's own writes
 * @param standbys further copies of every store
 * @param streamThreads threads of every app
 */
public record NodeConfig(
        Http http,
        Internal internal,
        String nodeId,
        Set<Role> roles,
        Path dataFolder,
        Kafka kafka,
        Optional<URI> schemaRegistry,
        String region,
        int tablePartitions,
        long itemCollectionLimit,
        Duration expiryInterval,
        Duration writeTimeout,
        Duration writeLinger,
        Duration baseCommitInterval,
        boolean exactlyOnceIndexes,
        int onlineIndexOperations,
        WorkRate backfillRate,
        LagBound maxLag,
        Optional<Duration> verifyInterval,
        WorkRate verifyRate,
        Duration indexReadWait,
        int standbys,
        int streamThreads) {

    public NodeConfig {
        roles = Set.copyOf(roles);
    }

    /**
     * Where and how clients are answered.
     *
     * @param host the address listened on
     * @param port the port, 0 for a free one
     * @param maxInFlight requests answered at once
     * @param requestTimeout the longest a request may take
     */
    public record Http(String host, int port, int maxInFlight, Duration requestTimeout) {}

    /**
     * Where other nodes are answered.
     *
     * @param host the address they reach this node by
     * @param port the port, 0 for a free one
     */
    public record Internal(String host, int port) {}

    /**
     * The Kafka that holds the log.
     *
     * @param bootstrapServers an outside Kafka, or empty to run one inside the node
     * @param port the port of the embedded one, 0 for a free one
     * @param replicationFactor copies of every topic, or -1 for the broker's default
     * @param fsync whether the log is written through to the disk before a write is acknowledged
     */
    public record Kafka(
            Optional<String> bootstrapServers, int port, short replicationFactor, boolean fsync) {}

    /** Returns whether Kafka runs inside the node, which is then the only one. */
    public boolean isEmbedded() {
        return kafka.bootstrapServers().isEmpty();
    }
}
