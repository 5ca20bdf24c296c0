package dev.tidemark.query.routing;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How a node registry works.
 *
 * @param node the id of this node, unlike that of every other
 * @param roles what this node is there for, for others to see
 * @param topic the topic of claims, made if it is not there
 * @param replication copies of the topic, if it is made
 * @param heartbeat how often a node says at least that it is there; it counts as gone after three
 *     of them
 * @param progress how often a node says how far it has come, while that changes
 * @param startTimeout how long start-up may take to reach the broker and read the claims
 * @param kafka settings of every Kafka client, {@code bootstrap.servers} among them
 */
public record NodeRegistrySettings(
        String node,
        Set<String> roles,
        String topic,
        short replication,
        Duration heartbeat,
        Duration progress,
        Duration startTimeout,
        Map<String, Object> kafka) {

    public static final String DEFAULT_TOPIC = "td.nodes";

    private static final int MISSED_HEARTBEATS = 3;

    public NodeRegistrySettings {
        roles = Set.copyOf(roles);
        kafka = Map.copyOf(kafka);
        if (heartbeat.isNegative() || heartbeat.isZero() || progress.compareTo(heartbeat) > 0) {
            throw new IllegalArgumentException("Invalid heartbeat: below that of progress");
        }
    }

    /** Returns settings for the brokers given: one copy, a heartbeat a second. */
    public static NodeRegistrySettings of(String node, Set<String> roles, String bootstrapServers) {
        return new NodeRegistrySettings(
                node,
                roles,
                DEFAULT_TOPIC,
                (short) 1,
                Duration.ofSeconds(1),
                Duration.ofMillis(250),
                Duration.ofSeconds(30),
                Map.of("bootstrap.servers", bootstrapServers));
    }

    public NodeRegistrySettings withReplication(short copies) {
        return new NodeRegistrySettings(
                node, roles, topic, copies, heartbeat, progress, startTimeout, kafka);
    }

    public NodeRegistrySettings withKafka(Map<String, Object> clientSettings) {
        return new NodeRegistrySettings(
                node, roles, topic, replication, heartbeat, progress, startTimeout, clientSettings);
    }

    public NodeRegistrySettings withHeartbeat(Duration beat, Duration progressBeat) {
        return new NodeRegistrySettings(
                node, roles, topic, replication, beat, progressBeat, startTimeout, kafka);
    }

    Duration patience() {
        return heartbeat.multipliedBy(MISSED_HEARTBEATS);
    }
}
