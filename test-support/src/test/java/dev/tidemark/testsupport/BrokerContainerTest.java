package dev.tidemark.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The broker that tests start in a container is the one that compose.yaml describes. */
class BrokerContainerTest {

    @Test
    void imageAndSettingsAreThoseOfTheDescribedCluster() throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of("..", "compose.yaml")).stream()
                        .map(String::strip)
                        .toList();
        assertThat(lines).contains("image: " + BrokerContainer.IMAGE);
        BrokerContainer.SETTINGS.forEach(
                (name, setting) -> assertThat(lines).contains(name + ": \"" + setting + "\""));
    }
}
