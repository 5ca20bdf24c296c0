package dev.tidemark.ingest;

import java.time.Duration;

/**
 * How topics are made.
 *
 * @param replicationFactor how many brokers hold each partition
 * @param minInSyncReplicas how many of them must have a record before it is acknowledged
 * @param timeout how long making or removing topics may take
 */
public record TopicSettings(short replicationFactor, int minInSyncReplicas, Duration timeout) {

    public TopicSettings {
        if (minInSyncReplicas < 1 || minInSyncReplicas > replicationFactor) {
            throw new IllegalArgumentException(
                    "Invalid topic settings: more in-sync replicas than replicas");
        }
    }

    /** Returns settings that survive the loss of one broker where there are three. */
    public static TopicSettings replicated(int replicationFactor) {
        return new TopicSettings(
                (short) replicationFactor, replicationFactor >= 3 ? 2 : 1, Duration.ofSeconds(30));
    }
}
