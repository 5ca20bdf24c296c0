package dev.tidemark.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class BaseSettingsTest {

    private static final BaseSettings SETTINGS =
            BaseSettings.of("broker:9092", Path.of("state"), "node-1");

    @Test
    void theGuaranteesDoNotDependOnSettings() {
        Map<String, Object> config = SETTINGS.streamsConfig(TestTables.things(1));

        assertThat(config)
                .containsEntry("application.id", "td.Things.abcdefgh.base")
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("enable.transactional.statestores", true)
                .containsEntry("default.interactive.query.isolation.level", "read_uncommitted")
                .containsEntry("topology.optimization", "none");
    }

    @Test
    void settingsReachStreamsUnderItsNames() {
        Map<String, Object> config =
                SETTINGS.withApplicationServer("host:7000")
                        .withStandbys(1)
                        .withSessionTimeout(Duration.ofSeconds(2))
                        .withOverrides(Map.of("replication.factor", "3"))
                        .streamsConfig(TestTables.things(1));

        assertThat(config)
                .containsEntry("bootstrap.servers", "broker:9092")
                .containsEntry("state.dir", "state")
                .containsEntry("application.server", "host:7000")
                .containsEntry("num.standby.replicas", 1)
                .containsEntry("replication.factor", "3")
                .containsEntry("commit.interval.ms", 50L)
                .containsEntry("poll.ms", 5L)
                .containsEntry("main.consumer.group.instance.id", "node-1")
                .containsEntry("main.consumer.session.timeout.ms", 2_000)
                .containsEntry("main.consumer.heartbeat.interval.ms", 500)
                .containsEntry("restore.consumer.fetch.max.wait.ms", 10)
                .containsEntry("producer.linger.ms", 0)
                .containsEntry("producer.transaction.timeout.ms", 3_000);
        assertThat(new StreamsConfig(config).getString("processing.guarantee"))
                .as("accepted by Streams")
                .isEqualTo("exactly_once_v2");
    }

    @Test
    void settingsThatCanNotWorkAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BaseSettings.of(" ", Path.of("state"), "node"))
                .withMessage("Invalid bootstrap servers: none");
        for (String nodeId : List.of("", "a b", "ä", "x".repeat(101))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BaseSettings.of("broker:9092", Path.of("state"), nodeId))
                    .withMessageStartingWith("Invalid node id: ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SETTINGS.withStandbys(-1))
                .withMessage("Invalid standbys: negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SETTINGS.withSessionTimeout(Duration.ZERO))
                .withMessage("Invalid session timeout: not positive");
    }
}
