package dev.tidemark.query.catalog;

import java.time.Duration;
import java.util.Map;

/**
 * How a catalog reaches its log.
 *
 * @param topic the topic of commands, made if it is not there
 * @param replication copies of the topic, if it is made
 * @param startTimeout how long start-up may take to reach the broker and read the log
 * @param proposeTimeout how long a proposal may take
 * @param kafka settings of every Kafka client, {@code bootstrap.servers} among them
 */
public record CatalogSettings(
        String topic,
        short replication,
        Duration startTimeout,
        Duration proposeTimeout,
        Map<String, Object> kafka) {

    public static final String DEFAULT_TOPIC = "td.catalog";

    public CatalogSettings {
        kafka = Map.copyOf(kafka);
    }

    /** Returns settings for the brokers given, one copy, and patience of half a minute. */
    public static CatalogSettings of(String bootstrapServers) {
        return new CatalogSettings(
                DEFAULT_TOPIC,
                (short) 1,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Map.of("bootstrap.servers", bootstrapServers));
    }

    public CatalogSettings withReplication(short copies) {
        return new CatalogSettings(topic, copies, startTimeout, proposeTimeout, kafka);
    }

    public CatalogSettings withKafka(Map<String, Object> clientSettings) {
        return new CatalogSettings(
                topic, replication, startTimeout, proposeTimeout, clientSettings);
    }
}
