package dev.tidemark.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.LagReading;
import dev.tidemark.launcher.faults.Measured;
import dev.tidemark.launcher.faults.ServerProcess;
import dev.tidemark.testsupport.OutsideKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The only node that maintains indexes is killed: the other, which never had one, tells exactly how
 * far they trail, also after it was started again itself.
 */
class LagWithoutIndexNodeIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String INDEX = "byGroup";

    @TempDir private Path folder;
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
    void theLagOfIndexesWhoseNodeIsGoneIsCountedFromTheLog() {
        // Given
        broker = OutsideKafka.start(folder.resolve("broker"));
        ServerProcess front = node("front", "ingest,base,query");
        ServerProcess indexes = node("indexes", "gsi");
        Measured.createAndAwait(front.endpoint());
        write(front, 0, 50);
        awaitLag(front, 0);

        // When
        indexes.kill();
        write(front, 50, 30);

        // Then
        awaitLag(front, 30);
        long age = age(front);
        write(front, 80, 5);
        awaitLag(front, 35);
        assertThat(age(front)).isGreaterThan(age);
        front.kill();
        ServerProcess again = front.startAgain();
        servers.add(again);
        awaitLag(again, 35);
        assertThat(age(again)).isGreaterThan(age);
        servers.add(indexes.startAgain());
        awaitLag(again, 0);
        assertThat(age(again)).isZero();
    }

    private ServerProcess node(String name, String roles) {
        ServerProcess started =
                ServerProcess.start(
                        folder.resolve(name),
                        "--bootstrap-servers",
                        broker.bootstrapServers(),
                        "--node-id",
                        name,
                        "--roles",
                        roles,
                        "--set",
                        "table.partitions=3",
                        "--set",
                        "streams.standbys=0");
        servers.add(started);
        return started;
    }

    private static void write(ServerProcess server, int from, int count) {
        for (int number = from; number < from + count; number++) {
            server.endpoint()
                    .call("PutItem", Measured.put(Measured.item("pk-" + number % 7, number)));
        }
    }

    private static void awaitLag(ServerProcess server, long changes) {
        await().atMost(SOON)
                .untilAsserted(
                        () ->
                                assertThat(entry(server).path("changes").asLong(-1))
                                        .isEqualTo(changes));
    }

    private static long age(ServerProcess server) {
        return entry(server).path("ageMillis").asLong(-1);
    }

    private static JsonNode entry(ServerProcess server) {
        for (JsonNode table : LagReading.document(server.endpoint()).path("tables")) {
            for (JsonNode index : table.path("indexes")) {
                if (index.path("index").asText().equals(INDEX)) {
                    return index;
                }
            }
        }
        throw new AssertionError("No lag of " + INDEX);
    }
}
