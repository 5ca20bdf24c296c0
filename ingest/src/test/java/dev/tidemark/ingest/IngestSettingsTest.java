package dev.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {

    private final ProducerConfig config =
            new ProducerConfig(IngestSettings.defaults("127.0.0.1:1").producerConfig());

    /** One broker can't show what all replicas have: Kafka asks for no more than there are. */
    @Test
    void aRecordIsAcknowledgedByAllReplicasAndWrittenOnceInOrder() {
        assertThat(config.getString(ProducerConfig.ACKS_CONFIG)).isEqualTo("-1");
        assertThat(config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)).isTrue();
    }

    @Test
    void roomForLessThanOneWriteIsRefused() {
        assertThatThrownBy(
                        () ->
                                new IngestSettings(
                                        "127.0.0.1:1",
                                        "client",
                                        Duration.ZERO,
                                        "none",
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(1),
                                        1,
                                        IngestSettings.MAX_WRITE_BYTES - 1,
                                        Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid ingest settings: no room for one write");
    }
}
