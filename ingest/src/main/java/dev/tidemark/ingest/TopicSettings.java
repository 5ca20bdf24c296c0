package dev.tidemark.ingest;

import java.time.Duration;

/**
 * How topics are made.
 *
 * @param replicationFactor how many brokers hold each partition
 * @param minInSyncReplicas how many of them must have a record before it is acknowledged
 * @param syncsWrites whether brokers write every record of a table's log through to the disk before
 *     they acknowledge it; without it a record survives the end of the broker, not that of a lone
 *     machine's power
 * @param timeout how long making or removing topics may take
 */
public record TopicSettings(
        short replicationFactor, int minInSyncReplicas, boolean syncsWrites, Duration timeout) {

    public TopicSettings {
        if (minInSyncReplicas < 1 || minInSyncReplicas > replicationFactor) {
            throw new IllegalArgumentException(
                    "Invalid topic settings: more in-sync replicas than replicas");
        }
    }

    /** Returns settings that survive the loss of one broker where there are three. */
    public static TopicSettings replicated(int replicationFactor) {
        return new TopicSettings(
                (short) replicationFactor,
                replicationFactor >= 3 ? 2 : 1,
                false,
                Duration.ofSeconds(30));
    }

    /** Returns these settings with writes synced to the disk, or not. */
    public TopicSettings withSyncedWrites(boolean synced) {
        return new TopicSettings(replicationFactor, minInSyncReplicas, synced, timeout);
    }
}
