package dev.tidemark.ingest;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How writes are appended.
 *
 * @param bootstrapServers where Kafka is
 * @param clientId what the producer calls itself
 * @param linger how long a record may wait for others to share its request
 * @param compression Kafka's name of the codec, {@code none} for none
 * @param timeout how long a write may wait for its outcome
 * @param deliveryTimeout how long the log may take to acknowledge a record
 * @param maxBlock how long the producer may wait for metadata at once; never on the caller's thread
 * @param maxInFlight the most writes under way at once
 * @param maxInFlightBytes the most bytes of writes under way at once
 * @param overrides producer settings that win over the others
 */
public record IngestSettings(
        String bootstrapServers,
        String clientId,
        Duration linger,
        String compression,
        Duration timeout,
        Duration deliveryTimeout,
        Duration maxBlock,
        int maxInFlight,
        int maxInFlightBytes,
        Map<String, String> overrides) {

    /** The most bytes of one record of the log. */
    public static final int MAX_WRITE_BYTES = 2 * 1024 * 1024;

    public IngestSettings {
        overrides = Map.copyOf(overrides);
        if (maxInFlight < 1 || maxInFlightBytes < MAX_WRITE_BYTES) {
            throw new IllegalArgumentException("Invalid ingest settings: no room for one write");
        }
    }

    /** Returns what suits most. */
    public static IngestSettings defaults(String bootstrapServers) {
        return new IngestSettings(
                bootstrapServers,
                "tidemark-ingest",
                Duration.ZERO,
                "none",
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                20_000,
                64 * 1024 * 1024,
                Map.of());
    }

    /** Returns the settings of the producer. */
    public Map<String, Object> producerConfig() {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, linger.toMillis());
        // while one request is under way the next gathers: fewer and larger ones, and none waits
        config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_WRITE_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlock.toMillis());
        config.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(deliveryTimeout.toMillis()));
        config.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(
                        Math.max(1, deliveryTimeout.minus(linger).dividedBy(2).toMillis())));
        // Room for what may be in flight and for batches half full, so that send never waits for it
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 2L * maxInFlightBytes + (64L << 20));
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        config.put(
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        config.putAll(overrides);
        return config;
    }
}
