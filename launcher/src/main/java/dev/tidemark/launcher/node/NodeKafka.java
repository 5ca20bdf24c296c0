package dev.tidemark.launcher.node;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.launcher.config.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;

/** The Kafka a node works with: one in its own process, or one outside. */
final class NodeKafka implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final String REPLICATION = "default.replication.factor";

    private final Optional<EmbeddedKafka> embedded;
    private final String bootstrapServers;
    private final Admin admin;
    private final short replication;

    private NodeKafka(
            Optional<EmbeddedKafka> embedded,
            String bootstrapServers,
            Admin admin,
            short replication) {
        this.embedded = embedded;
        this.bootstrapServers = bootstrapServers;
        this.admin = admin;
        this.replication = replication;
    }

    /**
     * Starts the embedded Kafka, or reaches the one outside.
     *
     * @param onFatal told why the embedded one has given up
     * @throws StartException if the outside one does not answer
     */
    static NodeKafka start(NodeConfig.Kafka config, Path folder, Consumer<String> onFatal) {
        Optional<EmbeddedKafka> embedded = Optional.empty();
        if (config.bootstrapServers().isEmpty()) {
            EmbeddedKafka started =
                    EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder).onPort(config.port()));
            started.onFatal(onFatal);
            embedded = Optional.of(started);
        }
        String servers =
                embedded.map(EmbeddedKafka::bootstrapServers)
                        .orElseGet(() -> config.bootstrapServers().orElseThrow());
        Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers));
        try {
            short replication =
                    config.replicationFactor() > 0
                            ? config.replicationFactor()
                            : defaultReplication(admin);
            return new NodeKafka(embedded, servers, admin, replication);
        } catch (ExecutionException | TimeoutException e) {
            admin.close(Duration.ZERO);
            embedded.ifPresent(EmbeddedKafka::close);
            throw new StartException("No Kafka answers at " + servers + " (" + e + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            admin.close(Duration.ZERO);
            throw new StartException("Interrupted while reaching Kafka", e);
        }
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    Admin admin() {
        return admin;
    }

    /** Returns how many copies topics get. */
    short replication() {
        return replication;
    }

    @Override
    public void close() {
        admin.close(CLOSE);
        embedded.ifPresent(EmbeddedKafka::close);
    }

    private static short defaultReplication(Admin admin)
            throws ExecutionException, TimeoutException, InterruptedException {
        int broker =
                admin.describeCluster()
                        .nodes()
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .iterator()
                        .next()
                        .id();
        ConfigResource resource =
                new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(broker));
        Map<ConfigResource, Config> configs =
                admin.describeConfigs(List.of(resource))
                        .all()
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Config config = configs.get(resource);
        if (config == null || config.get(REPLICATION) == null) {
            return 1;
        }
        return Short.parseShort(config.get(REPLICATION).value());
    }
}
