package dev.tidemark.launcher.faults;

import dev.tidemark.launcher.Tidemark;
import dev.tidemark.launcher.client.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code tidemark serve} in a JVM of its own, which a test may kill.
 *
 * <p>Its folder holds the data and, beside them, what it logged ({@code server.log}). None outlives
 * the test's JVM.
 */
public final class ServerProcess implements AutoCloseable {

    /** How long a start may take on a machine that is busy with much else. */
    private static final Duration START = Duration.ofSeconds(90);

    private static final Duration STOP = Duration.ofSeconds(20);
    private static final Pattern READY = Pattern.compile("is ready at (http://[^ ]+) ");
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> ALIVE.forEach(Process::destroyForcibly), "kill-servers"));
    }

    private final Path folder;
    private final List<String> arguments;
    private final Process process;
    private final URI uri;
    private final Duration startTime;

    private ServerProcess(
            Path folder, List<String> arguments, Process process, URI uri, Duration startTime) {
        this.folder = folder;
        this.arguments = arguments;
        this.process = process;
        this.uri = uri;
        this.startTime = startTime;
    }

    /**
     * Starts a server on free ports with its data in {@code folder}, and returns when it is ready.
     *
     * @throws IllegalStateException if it ends or is not ready in time; the text holds what it
     *     logged
     */
    public static ServerProcess start(Path folder, String... arguments) {
        return start(folder, List.of(arguments));
    }

    private static ServerProcess start(Path folder, List<String> arguments) {
        try {
            Files.createDirectories(folder);
            long begun = System.nanoTime();
            Process process = launch(folder, arguments);
            URI uri = awaitReady(folder, process);
            return new ServerProcess(
                    folder, arguments, process, uri, Duration.ofNanos(System.nanoTime() - begun));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a server that is expected to end by itself, and returns its exit code.
     *
     * @throws IllegalStateException if it does not end in time
     */
    static int runToEnd(Path folder, String... arguments) {
        try {
            Files.createDirectories(folder);
            Process process = launch(folder, List.of(arguments));
            Thread reader = new Thread(() -> drain(process), "server-process-output");
            reader.setDaemon(true);
            reader.start();
            return awaitEnd(process, START);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI uri() {
        return uri;
    }

    /** Returns a client that tries again what failed in passing. */
    public Endpoint endpoint() {
        return new Endpoint(uri);
    }

    /** Returns how long it took from the start of the JVM to the ready line. */
    public Duration startTime() {
        return startTime;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process as {@code kill -9} does, and returns when it has ended. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(process, STOP);
    }

    /** Asks the process to stop, as SIGTERM does, and returns its exit code when it has. */
    public int stop() {
        process.destroy();
        return awaitEnd(process, STOP);
    }

    /** Waits until the process ends by itself and returns its exit code. */
    int awaitEnd() {
        return awaitEnd(process, START);
    }

    /** Starts a server on the folder and with the arguments of this one, which must have ended. */
    public ServerProcess startAgain() {
        return start(folder, arguments);
    }

    /** Returns what it and those before it on its folder have logged. */
    public String log() {
        return log(folder);
    }

    static String log(Path folder) {
        try {
            return Files.readString(logOf(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
    }

    private static int awaitEnd(Process process, Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("The server did not end within " + atMost);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The wait for a server's end was interrupted", e);
        }
        ALIVE.remove(process);
        return process.exitValue();
    }

    private static Process launch(Path folder, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx512m");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Tidemark.class.getName());
        command.add("serve");
        command.add("--port");
        command.add("0");
        command.add("--data");
        command.add(folder.resolve("data").toString());
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(logOf(folder).toFile()))
                        .start();
        ALIVE.add(process);
        return process;
    }

    private static URI awaitReady(Path folder, Process process) {
        CompletableFuture<URI> address = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, address), "server-process-output");
        reader.setDaemon(true);
        reader.start();
        try {
            return address.get(START.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "The server did not become ready; it logged:\n" + log(folder), e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The wait for a server was interrupted", e);
        }
    }

    private static void read(Process process, CompletableFuture<URI> address) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher ready = READY.matcher(line);
                if (ready.find()) {
                    address.complete(URI.create(ready.group(1)));
                }
            }
        } catch (IOException e) {
            address.completeExceptionally(e);
        }
        address.completeExceptionally(new IOException("The server process ended"));
    }

    private static void drain(Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> {});
        } catch (IOException | UncheckedIOException e) {
            process.destroyForcibly();
        }
    }

    private static Path logOf(Path folder) {
        return folder.resolve("server.log");
    }
}
