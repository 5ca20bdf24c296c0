package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node with its Kafka inside is killed while it works: what it acknowledged is there when it
 * comes back, once, and every index agrees with the table (guarantees 1, 2, 4 and 5).
 */
class KillEmbeddedIT {

    private static final Logger LOGGER = LoggerFactory.getLogger(KillEmbeddedIT.class);
    private static final int WRITERS = 6;

    @TempDir Path folder;

    private ServerProcess server;

    @AfterEach
    void killTheServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyAcknowledgedWriteIsThereOnceAfterAKill() {
        killUnderLoad(2);
    }

    @Test
    @Tag("slow")
    void everyAcknowledgedWriteIsThereOnceAfterManyKills() {
        killUnderLoad(12);
    }

    @Test
    void toldToStopItEndsInTimeAndLosesNothing() {
        // Given
        server = ServerProcess.start(folder);
        Measured.createAndAwait(server.endpoint());
        int code;
        Duration took;
        CountedLoad load = CountedLoad.start("stop", WRITERS, step -> server.uri());
        try (load) {
            load.awaitWrites(500);

            // When
            long begun = System.nanoTime();
            code = server.stop();
            took = Duration.ofNanos(System.nanoTime() - begun);
            load.stop();
        }

        // Then: 128 and the number of SIGTERM
        assertThat(code).as(() -> server.log()).isEqualTo(143);
        assertThat(took).isLessThan(Duration.ofSeconds(10));
        server = server.startAgain();
        LOGGER.warn("stopped in {}, back in {}", took, server.startTime());
        load.verify(server.endpoint());
    }

    private void killUnderLoad(int times) {
        server = ServerProcess.start(folder);
        Measured.createAndAwait(server.endpoint());
        for (int kill = 1; kill <= times; kill++) {
            CountedLoad load = CountedLoad.start("run" + kill, WRITERS, step -> server.uri());
            try (load) {
                load.awaitWrites(1_000 + 100 * kill);
                server.kill();
                load.stop();
            }
            server = server.startAgain();
            LOGGER.warn(
                    "killed after {} writes, ready again in {}",
                    load.acknowledgedWrites(),
                    server.startTime());
            load.verify(server.endpoint());
        }
    }
}
