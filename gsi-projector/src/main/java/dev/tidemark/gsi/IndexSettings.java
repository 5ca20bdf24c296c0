package dev.tidemark.gsi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How index apps run on this node.
 *
 * @param bootstrapServers where Kafka is
 * @param stateFolder where stores are kept; each app has a folder of its own below
 * @param nodeId tells this node from others, and is the same after a restart: the apps' static
 *     membership
 * @param applicationServer host and port at which other nodes reach this one, if there are others
 * @param guarantee how changes are read and work is committed
 * @param standbys copies of each store on other nodes
 * @param replicationFactor of internal topics; -1 is the broker's default
 * @param sessionTimeout after which a silent node's partitions move; at least the broker's {@code
 *     group.min.session.timeout.ms}
 * @param overrides Streams settings by Kafka's names that replace the ones chosen here
 */
public record IndexSettings(
        String bootstrapServers,
        Path stateFolder,
        String nodeId,
        Optional<String> applicationServer,
        IndexGuarantee guarantee,
        int standbys,
        int replicationFactor,
        Duration sessionTimeout,
        Map<String, String> overrides) {

    private static final Duration EMBEDDED_SESSION = Duration.ofSeconds(2);
    private static final Duration CLUSTER_SESSION = Duration.ofSeconds(6);

    public IndexSettings {
        overrides = Map.copyOf(overrides);
        if (standbys < 0) {
            throw new IllegalArgumentException("Invalid index settings: negative standbys");
        }
    }

    /** Returns the settings of the only node, with its broker in the same process. */
    public static IndexSettings embedded(String bootstrapServers, Path stateFolder, String nodeId) {
        return new IndexSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                Optional.empty(),
                IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED,
                0,
                1,
                EMBEDDED_SESSION,
                Map.of());
    }

    /** Returns the settings of one node of several on a Kafka cluster. */
    public static IndexSettings cluster(
            String bootstrapServers, Path stateFolder, String nodeId, String applicationServer) {
        return new IndexSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                Optional.of(applicationServer),
                IndexGuarantee.EXACTLY_ONCE,
                1,
                -1,
                CLUSTER_SESSION,
                Map.of());
    }

    public IndexSettings withGuarantee(IndexGuarantee next) {
        return new IndexSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                applicationServer,
                next,
                standbys,
                replicationFactor,
                sessionTimeout,
                overrides);
    }

    public IndexSettings withOverrides(Map<String, String> next) {
        return new IndexSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                applicationServer,
                guarantee,
                standbys,
                replicationFactor,
                sessionTimeout,
                next);
    }
}
