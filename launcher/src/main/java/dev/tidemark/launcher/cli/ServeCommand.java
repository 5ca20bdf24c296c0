package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.node.Node;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a node until it is told to stop. */
@Command(
        name = "serve",
        description = {
            "Runs a server. With no Kafka given, one runs in the same process and keeps its log in the data folder.",
            "It says when it is ready; SIGTERM or Ctrl-C stops it in order."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark serve",
            "  tidemark serve --port 0 --data /var/lib/tidemark",
            "  tidemark serve --set table.partitions=4 --set kafka.fsync=true",
            "  tidemark serve --bootstrap-servers kafka:9092 --node-id a --port 8001 --data a",
            "  tidemark serve --bootstrap-servers kafka:9092 --node-id b --port 8002 --data b --roles query,ingest,base"
        })
final class ServeCommand implements Callable<Integer> {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Mixin private NodeOptions options = new NodeOptions();

    @Override
    public Integer call() {
        NodeConfig config = options.resolve();
        long begun =
                ProcessHandle.current()
                        .info()
                        .startInstant()
                        .map(start -> System.currentTimeMillis() - start.toEpochMilli())
                        .orElse(0L);
        long started = System.nanoTime();
        Node node = Node.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(node::close, "shutdown"));
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "Tidemark %s is ready at %s (node %s, %s, started in %.1f s)%n",
                        ProgramVersion.text(),
                        node.uri(),
                        config.nodeId(),
                        config.kafka()
                                .bootstrapServers()
                                .map(servers -> "Kafka at " + servers)
                                .orElse("Kafka inside at " + node.bootstrapServers()),
                        (begun + (System.nanoTime() - started) / 1_000_000) / 1e3);
        spec.commandLine().getOut().flush();
        return node.awaitStop() ? RootCommand.OK : RootCommand.FAILED;
    }
}
