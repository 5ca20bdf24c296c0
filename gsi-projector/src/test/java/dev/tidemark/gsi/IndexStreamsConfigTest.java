package dev.tidemark.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class IndexStreamsConfigTest {

    private static final Path FOLDER = Path.of("state");

    @Test
    void embeddedNodeReadsUncommittedChanges() {
        Properties config =
                IndexStreamsConfig.of(IndexSettings.embedded("host:1", FOLDER, "node-1"), "app");

        assertThat(config)
                .containsEntry("application.id", "app")
                .containsEntry("bootstrap.servers", "host:1")
                .containsEntry("processing.guarantee", "at_least_once")
                .containsEntry("main.consumer.isolation.level", "read_uncommitted")
                .containsEntry("main.consumer.group.instance.id", "node-1")
                .containsEntry("main.consumer.session.timeout.ms", "2000")
                .containsEntry("enable.transactional.statestores", "true")
                .containsEntry("replication.factor", 1)
                .doesNotContainKey("application.server");
        assertThat(new StreamsConfig(config).getMainConsumerConfigs("g", "c", 0))
                .containsEntry("isolation.level", "read_uncommitted")
                .containsEntry("auto.offset.reset", "earliest");
    }

    @Test
    void clusterNodeReadsCommittedChangesAndFencesFormerOwners() {
        Properties config =
                IndexStreamsConfig.of(
                        IndexSettings.cluster("host:1", FOLDER, "node-1", "node-1:8100"), "app");

        assertThat(config)
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("commit.interval.ms", "20")
                .containsEntry("poll.ms", "5")
                .containsEntry("application.server", "node-1:8100")
                .containsEntry("num.standby.replicas", 1)
                .containsEntry("replication.factor", -1)
                .containsEntry("main.consumer.session.timeout.ms", "6000");
        StreamsConfig streams = new StreamsConfig(config);
        assertThat(streams.getMainConsumerConfigs("g", "c", 0))
                .containsEntry("isolation.level", "read_committed");
        assertThat(streams.getProducerConfigs("c"))
                .containsEntry("linger.ms", "0")
                .containsEntry("transaction.timeout.ms", "5000");
    }

    @Test
    void overridesWin() {
        Properties config =
                IndexStreamsConfig.of(
                        IndexSettings.embedded("host:1", FOLDER, "node-1")
                                .withOverrides(Map.of("poll.ms", "50")),
                        "app");

        assertThat(config).containsEntry("poll.ms", "50");
    }
}
