package dev.tidemark.launcher.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.faults.ServerProcess;
import dev.tidemark.launcher.life.Living.Shape;
import dev.tidemark.testsupport.OutsideKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An index changes while it is read through two nodes that share its partitions: every answer is
 * wholly of the old definition or wholly of the new one, and there always is one.
 */
class SwitchOnTwoNodesIT {

    private static final Logger LOGGER = LoggerFactory.getLogger(SwitchOnTwoNodesIT.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    /** A generation that is removed may end while a node that has not heard of it reads. */
    private static final int MOST_SENT_AGAIN = 20;

    @TempDir Path folder;

    private final List<ServerProcess> servers = new ArrayList<>();
    private OutsideKafka broker;

    @AfterEach
    void killAll() {
        servers.forEach(ServerProcess::close);
        if (broker != null) {
            broker.kill();
        }
    }

    @Test
    void everyAnswerThroughEitherNodeIsWhollyOfOneDefinition() {
        // Given
        broker = OutsideKafka.start(folder.resolve("broker"));
        Endpoint one = node("one").endpoint();
        Endpoint other = node("other").endpoint();
        Living.create(one, Map.of("changing", Shape.BY_A));
        SwitchReaders.put(one);
        Living.settle(one);
        Living.settle(other);

        try (SwitchReaders readers =
                SwitchReaders.start(List.of(one.uri(), other.uri()), "changing")) {
            readers.awaitMore();

            // When: to another projection, and back
            one.call("Tidemark.AlterIndex", Living.altering("changing", Shape.BY_A_KEYS_ONLY));
            awaitServing(List.of(one, other), 2);
            readers.awaitMore();
            other.call("Tidemark.RollBackIndex", Living.named("changing"));
            awaitServing(List.of(one, other), 1);
            readers.awaitMore();

            // When: to the other projection for good, and to one more generation as it is
            one.call("Tidemark.RollBackIndex", Living.named("changing"));
            awaitServing(List.of(one, other), 2);
            other.call("Tidemark.RebuildIndex", Living.named("changing"));
            awaitServing(List.of(one, other), 3);
            readers.awaitMore();
            readers.stop();

            // Then
            LOGGER.warn("{}", readers);
            assertThat(readers.wrong()).isEmpty();
            assertThat(readers.passing()).isLessThan(MOST_SENT_AGAIN);
            assertThat(readers.shapes())
                    .allSatisfy(
                            (reader, shapes) ->
                                    assertThat(shapes)
                                            .as(reader)
                                            .containsExactly(
                                                    "ALL", "KEYS_ONLY", "ALL", "KEYS_ONLY"));
        }
        Living.settle(one);
        Living.compare(one);
        Living.compare(other);
    }

    private static void awaitServing(List<Endpoint> nodes, int generation) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () ->
                                nodes.stream()
                                        .allMatch(
                                                node ->
                                                        Living.serving(node, "changing")
                                                                        .orElseThrow()
                                                                        .path("Generation")
                                                                        .asInt()
                                                                == generation));
    }

    private ServerProcess node(String id) {
        ServerProcess server =
                ServerProcess.start(
                        folder.resolve(id),
                        "--bootstrap-servers",
                        broker.bootstrapServers(),
                        "--node-id",
                        id,
                        "--set",
                        "table.partitions=4");
        servers.add(server);
        return server;
    }
}
