package dev.tidemark.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigSourceTest {

    private final ConfigSource source = new ConfigSource();

    @Test
    void defaultsAreThoseOfOneNodeWithKafkaInside() {
        NodeConfig config = source.resolve();
        assertThat(config.isEmbedded()).isTrue();
        assertThat(config.http())
                .isEqualTo(new NodeConfig.Http("127.0.0.1", 8000, 2048, Duration.ofSeconds(30)));
        assertThat(config.roles()).containsExactlyInAnyOrder(Role.values());
        assertThat(config.tablePartitions()).isEqualTo(2);
        assertThat(config.exactlyOnceIndexes()).isFalse();
        assertThat(config.indexReadWait()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.kafka().replicationFactor()).isEqualTo((short) 1);
    }

    @Test
    void anOutsideKafkaChangesTheDefaultsThatDependOnIt() {
        source.add("kafka.bootstrap-servers", "kafka:9092", "test");
        NodeConfig config = source.resolve();
        assertThat(config.isEmbedded()).isFalse();
        assertThat(config.tablePartitions()).isEqualTo(8);
        assertThat(config.exactlyOnceIndexes()).isTrue();
        assertThat(config.indexReadWait()).isZero();
        assertThat(config.standbys()).isEqualTo(1);
    }

    @Test
    void flagsStandAboveTheEnvironmentAndThatAboveAFile(@TempDir Path folder) throws IOException {
        // Given
        Path file =
                Files.writeString(
                        folder.resolve("node.properties"),
                        "http.port=1\nregion=file\nnode.id=file\n");

        // When
        source.addFile(file);
        source.addEnvironment(
                Map.of("TIDEMARK_HTTP_PORT", "2", "TIDEMARK_REGION", "env", "HOME", "/"), Set.of());
        source.add("http.port", "3", "--port");

        // Then
        NodeConfig config = source.resolve();
        assertThat(config.http().port()).isEqualTo(3);
        assertThat(config.region()).isEqualTo("env");
        assertThat(config.nodeId()).isEqualTo("file");
    }

    @Test
    void unknownSettingsAreRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("node.properties"), "http.prot=1\n");
        assertThatThrownBy(() -> source.addFile(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "Unknown setting http.prot (" + file + "); there are http.host, http.port");
        assertThatThrownBy(
                        () ->
                                source.addEnvironment(
                                        Map.of("TIDEMARK_PORT", "1"), Set.of("TIDEMARK_JAVA_OPTS")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Unknown setting in the environment: TIDEMARK_PORT");
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "http.port | x | Invalid http.port: not a whole number (--set says 'x')",
                "http.port | 70000 | Invalid http.port: not within 0 to 65535 (--set says '70000')",
                "write.timeout | 10 | Invalid write.timeout: not a time such as 500ms, 30s or 2m (--set says '10')",
                "node.roles | base,cook | Invalid node.roles: roles are ingest, base, gsi and query (--set says 'base,cook')",
                "node.roles | base | Invalid node.roles: a node with Kafka inside is the only one and needs every role (--set says 'base')",
                "kafka.fsync | yes | Invalid kafka.fsync: not true or false (--set says 'yes')",
                "index.guarantee | once | Invalid index.guarantee: not at-least-once or exactly-once (--set says 'once')",
                "schema-registry.url | :x | Invalid schema-registry.url: not a URL (--set says ':x')",
                "node.id | a b | Invalid node.id: not 1 to 64 letters, digits, dots, dashes or underscores (--set says 'a b')",
            })
    void aWrongValueIsNamedWithWhereItCameFrom(String key, String text, String message) {
        source.add(key, text, "--set");
        assertThatThrownBy(source::resolve).isInstanceOf(ConfigException.class).hasMessage(message);
    }
}
