package dev.tidemark.launcher.e2e;

import dev.tidemark.launcher.config.ConfigSource;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.node.Node;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A node that all test classes of a run share, for a start costs seconds; each test makes tables of
 * its own. Use it as a {@link RegisterExtension}.
 */
public final class SharedNode implements BeforeAllCallback {

    private RunningNode running;

    @Override
    public void beforeAll(ExtensionContext context) {
        running =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(SharedNode.class))
                        .getOrComputeIfAbsent(
                                RunningNode.class,
                                key -> RunningNode.start(Map.of()),
                                RunningNode.class);
    }

    public Node node() {
        return running.node();
    }

    public URI uri() {
        return running.node().uri();
    }

    public Path folder() {
        return running.folder();
    }

    public Wire wire() {
        return running.wire();
    }

    /** A node in a folder of its own that goes with it. */
    record RunningNode(Node node, Wire wire, Path folder) implements AutoCloseable {

        static RunningNode start(Map<String, String> settings) {
            try {
                Path folder = Files.createTempDirectory("tidemark-node-");
                Node node = Node.start(config(folder, settings));
                return new RunningNode(node, new Wire(node.uri()), folder);
            } catch (IOException e) {
                throw new IllegalStateException("No folder for a node", e);
            }
        }

        static NodeConfig config(Path folder, Map<String, String> settings) {
            ConfigSource source = new ConfigSource();
            source.add("http.port", "0", "test");
            source.add("data.folder", folder.toString(), "test");
            settings.forEach((key, text) -> source.add(key, text, "test"));
            return source.resolve();
        }

        @Override
        public void close() throws IOException {
            node.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
