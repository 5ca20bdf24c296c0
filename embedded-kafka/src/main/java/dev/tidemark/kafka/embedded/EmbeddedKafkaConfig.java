package dev.tidemark.kafka.embedded;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where an embedded broker keeps its data, and where it listens on loopback.
 *
 * @param dataFolder the folder of one broker; made when absent, held by a lock while the broker
 *     runs
 * @param port the port clients connect to, or 0 for a free one
 * @param overrides broker settings by Kafka's names that replace the ones chosen here
 */
public record EmbeddedKafkaConfig(Path dataFolder, int port, Map<String, String> overrides) {

    private static final int LARGEST_PORT = 65_535;

    /** Checks the port and copies the overrides. */
    public EmbeddedKafkaConfig {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException(
                    "Invalid Kafka port: " + port + " is not within 0 to 65535");
        }
        dataFolder = dataFolder.toAbsolutePath().normalize();
        overrides = Map.copyOf(overrides);
    }

    /** Returns a configuration with the settings chosen here, on a free port. */
    public static EmbeddedKafkaConfig in(Path dataFolder) {
        return new EmbeddedKafkaConfig(dataFolder, 0, Map.of());
    }

    /** Returns a copy that listens on {@code port}; 0 is a free one. */
    public EmbeddedKafkaConfig onPort(int port) {
        return new EmbeddedKafkaConfig(dataFolder, port, overrides);
    }
}
