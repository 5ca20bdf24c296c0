package dev.tidemark.testsupport;

import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka broker in a container, of the image and with the settings that compose.yaml has. */
public final class BrokerContainer implements OutsideKafka {

    static final String IMAGE = "apache/kafka:4.4.0";

    /** What Tidemark asks of a broker, as compose.yaml says it. */
    static final Map<String, String> SETTINGS =
            Map.of(
                    "KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "500",
                    "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0",
                    "KAFKA_OFFSETS_RETENTION_MINUTES", "2147483647",
                    "KAFKA_MESSAGE_MAX_BYTES", "16777216",
                    "KAFKA_REPLICA_FETCH_MAX_BYTES", "16777216",
                    "KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");

    private final KafkaContainer container;

    private BrokerContainer(KafkaContainer container) {
        this.container = container;
    }

    /** Returns whether a Docker engine runs here. */
    public static boolean isPossible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    /** Starts a broker on a free port and returns when it answers clients. */
    @SuppressWarnings("resource") // the broker that is returned closes it
    public static BrokerContainer start() {
        KafkaContainer container = new KafkaContainer(IMAGE).withEnv(SETTINGS);
        container.start();
        return new BrokerContainer(container);
    }

    @Override
    public String bootstrapServers() {
        return container.getBootstrapServers();
    }

    @Override
    public void kill() {
        container.stop();
    }

    @Override
    public void close() {
        container.stop();
    }
}
