package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.config.ConfigSource;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.config.Setting;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that set up a node, above its file and its environment. */
final class NodeOptions {

    /** Variables that mean something to the script that starts the program, or to its log. */
    static final Set<String> OTHER_VARIABLES =
            Set.of(
                    "TIDEMARK_JAVA_OPTS",
                    "TIDEMARK_JAVA_HOME",
                    "TIDEMARK_ARCHIVE",
                    "TIDEMARK_LOG_LEVEL",
                    "TIDEMARK_LOG_FILE");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "the port for clients; 0 takes a free one (8000)")
    private @Nullable String port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "the address for clients (127.0.0.1)")
    private @Nullable String host;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where everything is kept (./tidemark-data)")
    private @Nullable String data;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            description = "an outside Kafka; without one Kafka runs inside this process")
    private @Nullable String bootstrapServers;

    @Option(
            names = "--roles",
            paramLabel = "ROLE[,...]",
            description = "ingest, base, gsi, query (all)")
    private @Nullable String roles;

    @Option(
            names = "--node-id",
            paramLabel = "ID",
            description = "unique in the cluster, the same at every start")
    private @Nullable String nodeId;

    @Option(names = "--config", paramLabel = "FILE", description = "a properties file of settings")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "any setting by its key; the README lists them; may be repeated")
    private Map<String, String> settings = new LinkedHashMap<>();

    /** Returns the settings of file, environment and flags. */
    NodeConfig resolve() {
        ConfigSource source = new ConfigSource();
        if (config != null) {
            source.addFile(config);
        }
        source.addEnvironment(System.getenv(), OTHER_VARIABLES);
        settings.forEach((key, text) -> source.add(key, text, "--set"));
        add(source, Setting.HTTP_PORT, port, "--port");
        add(source, Setting.HTTP_HOST, host, "--host");
        add(source, Setting.DATA_FOLDER, data, "--data");
        add(source, Setting.KAFKA_BOOTSTRAP_SERVERS, bootstrapServers, "--bootstrap-servers");
        add(source, Setting.NODE_ROLES, roles, "--roles");
        add(source, Setting.NODE_ID, nodeId, "--node-id");
        return source.resolve();
    }

    private static void add(
            ConfigSource source, Setting setting, @Nullable String text, String origin) {
        if (text != null) {
            source.add(setting, text, origin);
        }
    }
}
