package dev.tidemark.testsupport;

import dev.tidemark.kafka.embedded.BrokerMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Kafka broker in a JVM of its own, which a test may kill.
 *
 * <p>Its folder holds the data and, beside them, what the broker logged ({@code broker.log}). A
 * broker that follows another on the same folder finds everything the other acknowledged.
 */
public final class BrokerProcess implements OutsideKafka {

    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 10;

    private final Path folder;
    private final Process process;
    private final String bootstrapServers;

    private BrokerProcess(Path folder, Process process, String bootstrapServers) {
        this.folder = folder;
        this.process = process;
        this.bootstrapServers = bootstrapServers;
    }

    /** Starts a broker on a free port and returns when it answers clients. */
    public static BrokerProcess start(Path folder) {
        return start(folder, 0);
    }

    /**
     * Starts a broker on {@code port}, 0 for a free one, and returns when it answers clients.
     *
     * @throws IllegalStateException if it ends or is not ready within a minute; the text holds what
     *     it logged
     */
    public static BrokerProcess start(Path folder, int port) {
        try {
            Files.createDirectories(folder);
            Process process = launch(folder, port);
            return new BrokerProcess(folder, process, awaitReady(folder, process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Ends the process as {@code kill -9} does, and returns when it has ended. */
    @Override
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts a broker on the folder and port of this one, which must have ended. */
    public BrokerProcess startAgain() {
        return start(
                folder,
                Integer.parseInt(
                        bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1)));
    }

    /** Stops the broker cleanly, or kills it when it does not stop. */
    @Override
    public void close() {
        process.destroy();
        if (!awaitEnd()) {
            kill();
        }
    }

    private boolean awaitEnd() {
        try {
            return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static Process launch(Path folder, int port) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerMain.class.getName(),
                        folder.toString(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.appendTo(logOf(folder)))
                .start();
    }

    private static String awaitReady(Path folder, Process process) throws IOException {
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, address), "broker-process-output");
        reader.setDaemon(true);
        reader.start();
        try {
            return address.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "The broker process did not become ready; it logged:\n"
                            + Files.readString(logOf(folder).toPath()),
                    e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The wait for the broker process was interrupted", e);
        }
    }

    private static void read(Process process, CompletableFuture<String> address) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            Optional<String> ready =
                    lines.lines()
                            .filter(line -> line.startsWith(BrokerMain.READY_PREFIX))
                            .findFirst();
            ready.ifPresent(
                    line -> address.complete(line.substring(BrokerMain.READY_PREFIX.length())));
            // Whatever else it prints must not fill the pipe and stop it.
            lines.lines().forEach(line -> {});
        } catch (IOException | UncheckedIOException e) {
            address.completeExceptionally(e);
        }
        address.completeExceptionally(new IOException("The broker process ended"));
    }

    private static File logOf(Path folder) {
        return folder.resolve("broker.log").toFile();
    }
}
