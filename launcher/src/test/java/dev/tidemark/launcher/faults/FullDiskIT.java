package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of the data folder fills up while a node works. Needs the right to mount a small disk in
 * memory, and is skipped where that is not given.
 */
@Tag("slow")
class FullDiskIT {

    @TempDir Path folder;

    private ServerProcess server;
    private boolean mounted;

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (server != null) {
            server.close();
        }
        if (mounted) {
            run("umount", "-l", folder.resolve("data").toString());
        }
    }

    @Test
    void theNodeSaysWhyItStopsAndLosesNothing() throws IOException, InterruptedException {
        // Given: its log is kept elsewhere
        Path disk = Files.createDirectories(folder.resolve("data"));
        mounted = run("mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", disk.toString()) == 0;
        assumeTrue(mounted, "no right to mount a small disk");
        server = ServerProcess.start(folder);
        Measured.createAndAwait(server.endpoint());
        CountedLoad load = CountedLoad.start("disk", 4, step -> server.uri());
        try (load) {
            load.awaitWrites(300);

            // When
            Path filler = disk.resolve("filler");
            fill(filler);
            await().atMost(Duration.ofSeconds(60)).until(() -> !server.isAlive());
            load.stop();

            // Then
            assertThat(server.awaitEnd()).as(() -> server.log()).isEqualTo(1);
            assertThat(server.log()).contains("full");
            Files.delete(filler);
        }
        server = server.startAgain();
        load.verify(server.endpoint());
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[64 * 1024];
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("space");
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command)).start().waitFor();
    }
}
