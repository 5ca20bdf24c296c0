package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.config.ConfigSource;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.config.Setting;
import dev.tidemark.launcher.demo.Demo;
import dev.tidemark.launcher.demo.Readings;
import dev.tidemark.launcher.demo.RunningServer;
import dev.tidemark.launcher.node.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the product's main job. */
@Command(
        name = "demo",
        description = {
            "Starts a server and shows what it does: readings of sensors go into a table with local and global indexes,"
                    + " an index is added while writes go on, every access pattern is asked once, every index is compared"
                    + " with the table, and the lag of each is printed.",
            "Then the server stays up, with commands to try; --exit stops it instead, with exit code 0 only if"
                    + " everything agreed."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark demo",
            "  tidemark demo --exit --readings 200000",
            "  tidemark demo --from machine_temperature_system_failure.csv",
            "  tidemark demo --port 8001 --data demo-data"
        })
final class DemoCommand implements Callable<Integer> {

    private static final int DEFAULT_READINGS = 20_000;
    private static final int DEFAULT_PORT = 8_000;

    private final Function<NodeConfig, RunningServer> start;

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Option(names = "--exit", description = "stop at the end; exit code 1 if anything disagreed")
    private boolean exit;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "take the readings of a CSV file with the columns timestamp and value")
    private @Nullable Path from;

    @Option(
            names = "--readings",
            paramLabel = "N",
            description = "how many readings (20000, or all of the file)")
    private @Nullable Long count;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "makes other sensors (default: ${DEFAULT-VALUE})")
    private long seed = 42;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "the port for clients (8000 if it is free, else another)")
    private @Nullable Integer port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where everything is kept (a temporary folder, removed at the end)")
    private @Nullable Path data;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "any setting by its key; the README lists them; may be repeated")
    private Map<String, String> settings = new LinkedHashMap<>();

    DemoCommand() {
        this(DemoCommand::startNode);
    }

    DemoCommand(Function<NodeConfig, RunningServer> start) {
        this.start = start;
    }

    @Override
    public Integer call() throws IOException {
        long most = count == null ? from == null ? DEFAULT_READINGS : Long.MAX_VALUE : count;
        if (most < 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--readings takes 1 or more");
        }
        DemoConsole view =
                new DemoConsole(spec.commandLine().getOut(), spec.commandLine().getErr());
        try (Readings readings =
                        from == null ? Readings.simulated(most, seed) : Readings.of(from, most);
                Folder folder = data == null ? Folder.fresh() : new Folder(data, false)) {
            System.getProperties().putIfAbsent("tidemark.log-level", "WARN");
            view.step("Start a server, with Kafka inside");
            long begun = System.nanoTime();
            RunningServer server = start.apply(config(folder.path()));
            CountDownLatch stopped = new CountDownLatch(1);
            Thread stop =
                    new Thread(
                            () -> {
                                server.close();
                                folder.remove();
                                stopped.countDown();
                            },
                            "shutdown");
            Runtime.getRuntime().addShutdownHook(stop);
            view.line(
                    String.format(
                            Locale.ROOT,
                            "ready at %s after %.1f s",
                            server.uri(),
                            (System.nanoTime() - begun) / 1e9));
            view.line(
                    "data in " + folder.path() + (folder.passing() ? ", removed at the end" : ""));
            try (server) {
                return show(server, readings, view, stopped);
            } finally {
                forget(stop);
            }
        }
    }

    private int show(
            RunningServer server, Readings readings, DemoConsole view, CountDownLatch stopped)
            throws IOException {
        Demo.Outcome outcome;
        try {
            outcome = Demo.run(new Endpoint(server.uri()), readings, view);
        } catch (EndpointException e) {
            if (e.type().equals("ResourceInUseException")) {
                throw new IllegalArgumentException(
                        "the data folder holds the demonstration's table already; give --data"
                                + " another folder, or look at it with: tidemark serve --data "
                                + data,
                        e);
            }
            throw e;
        }
        if (!exit) {
            tellWhatNext(view, server, outcome);
            try {
                stopped.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else {
            view.line("");
            view.line(outcome.agreed() ? "Everything agreed." : "NOT everything agreed.");
        }
        return outcome.agreed() ? RootCommand.OK : RootCommand.FAILED;
    }

    private static RunningServer startNode(NodeConfig config) {
        Node node = Node.start(config);
        return new RunningServer() {
            @Override
            public URI uri() {
                return node.uri();
            }

            @Override
            public void close() {
                node.close();
            }
        };
    }

    private static void tellWhatNext(DemoConsole view, RunningServer server, Demo.Outcome outcome) {
        view.step("Your turn: the server runs until Ctrl-C; in another terminal, try");
        String uri = server.uri().toString();
        view.plain(
                "export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1");
        outcome.shellLines().forEach(view::plain);
        view.plain(
                "aws dynamodb describe-table --endpoint-url "
                        + uri
                        + " --table-name SensorReadings");
        view.plain("./tidemark lag SensorReadings --watch --endpoint " + uri);
        view.plain("curl -s " + uri + "/metrics");
        view.line("");
    }

    private NodeConfig config(Path folder) {
        ConfigSource source = new ConfigSource();
        source.addEnvironment(System.getenv(), NodeOptions.OTHER_VARIABLES);
        settings.forEach((key, text) -> source.add(key, text, "--set"));
        source.add(Setting.HTTP_PORT, Integer.toString(port == null ? freePort() : port), "--port");
        source.add(Setting.DATA_FOLDER, folder.toString(), "--data");
        return source.resolve();
    }

    /** Returns the usual port, or 0, which takes any, if somebody listens there already. */
    private static int freePort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT));
            return DEFAULT_PORT;
        } catch (IOException e) {
            return 0;
        }
    }

    private static void forget(Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException e) {
            return; // the program is being stopped: the hook runs already
        }
    }

    /** Where the server keeps its data. */
    private record Folder(Path path, boolean passing) implements AutoCloseable {

        static Folder fresh() throws IOException {
            return new Folder(Files.createTempDirectory("tidemark-demo-"), true);
        }

        @Override
        public void close() {
            remove();
        }

        private void remove() {
            if (!passing || !Files.exists(path)) {
                return;
            }
            try (Stream<Path> parts = Files.walk(path)) {
                for (Path part : parts.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(part);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("The demonstration's folder can't be removed", e);
            }
        }
    }
}
