package dev.tidemark.launcher.node;

import dev.tidemark.gsi.IndexTopics;
import dev.tidemark.ingest.IngestSettings;
import dev.tidemark.ingest.KafkaWriteLog;
import dev.tidemark.ingest.LogTopics;
import dev.tidemark.ingest.TopicSettings;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.config.Role;
import dev.tidemark.launcher.metrics.LagReport;
import dev.tidemark.launcher.metrics.NodeMetrics;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.query.DataOperations;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableLookup;
import dev.tidemark.query.catalog.CatalogSettings;
import dev.tidemark.query.catalog.LogCatalog;
import dev.tidemark.query.expiry.ExpirySweep;
import dev.tidemark.query.http.HttpFrontEnd;
import dev.tidemark.query.http.HttpSettings;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.OperationRegistry;
import dev.tidemark.query.http.Page;
import dev.tidemark.query.http.Pages;
import dev.tidemark.query.http.WorkerPool;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.pressure.ThrottledWriteLog;
import dev.tidemark.query.read.AcknowledgedWrites;
import dev.tidemark.query.read.CurrentPositions;
import dev.tidemark.query.read.IndexFreshness;
import dev.tidemark.query.read.KafkaLogEnds;
import dev.tidemark.query.read.ReadIndex;
import dev.tidemark.query.read.StreamsDirectory;
import dev.tidemark.query.read.StreamsStores;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.query.routing.ClusterLag;
import dev.tidemark.query.routing.ForwardSettings;
import dev.tidemark.query.routing.ForwardingRouter;
import dev.tidemark.query.routing.KafkaLoggedProgress;
import dev.tidemark.query.routing.LagView;
import dev.tidemark.query.routing.NodeAddress;
import dev.tidemark.query.routing.NodeRegistry;
import dev.tidemark.query.routing.NodeRegistrySettings;
import dev.tidemark.query.routing.OwnedWriteLog;
import dev.tidemark.query.table.BackfillWatch;
import dev.tidemark.query.table.IndexOperations;
import dev.tidemark.query.table.TableArn;
import dev.tidemark.query.table.TableOperations;
import dev.tidemark.query.table.TableSettings;
import dev.tidemark.query.table.TableStatistics;
import dev.tidemark.query.verify.KafkaChangeFeed;
import dev.tidemark.query.verify.VerificationOperations;
import dev.tidemark.query.verify.Verifications;
import dev.tidemark.query.violation.ViolationOperations;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.ConfluentSchemaRegistry;
import dev.tidemark.wire.registry.LogSchemaRegistry;
import dev.tidemark.wire.registry.RegistryApi;
import dev.tidemark.wire.registry.SchemaRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running Tidemark: every part its roles need, joined. Long, since it is the one place that
 * sees all parts.
 */
public final class Node implements AutoCloseable {

    /*
     * Order: what holds data comes first (folder, Kafka, schemas, catalog), then what applies writes, last what takes
     * requests; stopping goes the other way. Nothing is announced before it can be asked.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(Node.class);
    private static final Duration REGISTRY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BARRIER_AFTER = Duration.ofMillis(50);
    private static final Duration READ_LIMIT = Duration.ofSeconds(5);
    private static final Duration STOP_HTTP = Duration.ofSeconds(5);
    private static final Duration RECENTLY = Duration.ofSeconds(1);
    private static final int WORKERS = Math.max(4, Runtime.getRuntime().availableProcessors() * 2);
    private static final int WAITING = 4_096;
    private static final long POLL_NANOS = 5_000_000;
    private static final long SAY_NANOS = 10_000_000_000L;

    private final Closing closing = new Closing();
    private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final String bootstrapServers;
    private final URI uri;
    private final TableApps apps;

    private Node(NodeConfig config) {
        boolean complete = false;
        try {
            requireFreePort(config.http());
            DataFolder data = closing.add(DataFolder.open(config.dataFolder(), config.nodeId()));
            NodeKafka kafka =
                    closing.add(NodeKafka.start(config.kafka(), data.part("kafka"), this::fail));
            this.bootstrapServers = kafka.bootstrapServers();
            Started started = new Parts(config, data, kafka).start();
            this.uri = started.uri();
            this.apps = started.apps();
            complete = true;
        } finally {
            if (!complete) {
                closing.close();
            }
        }
    }

    /**
     * Starts a node and returns once it answers requests.
     *
     * @throws StartException if it can't be started, with the reason
     */
    public static Node start(NodeConfig config) {
        return new Node(config);
    }

    /** Returns where clients reach it. */
    public URI uri() {
        return uri;
    }

    /** Returns the Kafka it works with. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Returns the engine of an index's app, if it runs here. */
    Optional<KafkaStreams> engine(IndexId index) {
        return apps.index(index);
    }

    /**
     * Waits until the node has stopped; returns whether it was told to, and not forced to by a
     * fault.
     */
    public boolean awaitStop() {
        return stopped.join();
    }

    /** Stops taking requests, finishes those under way, commits and stops, within some seconds. */
    @Override
    public void close() {
        stop(true);
    }

    private void stop(boolean asked) {
        if (closed.compareAndSet(false, true)) {
            closing.close();
            stopped.complete(asked);
        } else {
            stopped.join();
        }
    }

    private void fail(String reason) {
        LOGGER.atError().addKeyValue("reason", reason).log("the node can't go on and stops");
        Thread stopping = new Thread(() -> stop(false), "stop-after-failure");
        stopping.start();
    }

    private static void requireFreePort(NodeConfig.Http http) {
        if (http.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(http.host()), http.port()));
        } catch (IOException e) {
            throw new StartException(
                    "Port "
                            + http.port()
                            + " of "
                            + http.host()
                            + " can't be had ("
                            + e.getMessage()
                            + "); give another with --port, or 0 for a free one",
                    e);
        }
    }

    /** What of a node is asked for once it runs. */
    private record Started(URI uri, TableApps apps) {}

    /** The parts of a node while they are put together. */
    private final class Parts {

        private final NodeConfig config;
        private final DataFolder data;
        private final NodeKafka kafka;
        private final Map<String, Object> client;
        private final InstantSource clock = InstantSource.system();
        private final ProgressBoard board = new ProgressBoard();

        Parts(NodeConfig config, DataFolder data, NodeKafka kafka) {
            this.config = config;
            this.data = data;
            this.kafka = kafka;
            this.client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        }

        Started start() {
            LogSchemaRegistry ownSchemas =
                    closing.add(
                            LogSchemaRegistry.open(client, kafka.replication(), REGISTRY_TIMEOUT));
            SchemaRegistry schemas =
                    config.schemaRegistry()
                            .<SchemaRegistry>map(
                                    url -> new ConfluentSchemaRegistry(url, REGISTRY_TIMEOUT))
                            .orElse(ownSchemas);
            LogCatalog catalog =
                    closing.add(
                            LogCatalog.start(
                                    CatalogSettings.of(kafka.bootstrapServers())
                                            .withReplication(kafka.replication()),
                                    failure -> fail("catalog: " + failure.getMessage())));
            NodeMetrics metrics =
                    closing.add(
                            new NodeMetrics(
                                    id ->
                                            catalog.state()
                                                    .table(id)
                                                    .map(table -> table.name().value())
                                                    .orElse(id.value())));
            KafkaWriteLog log =
                    closing.add(
                            KafkaWriteLog.open(
                                    ingestSettings(), new WriteCodec(schemas), clock, metrics));
            board.addListener(new LostPartitions(board, id -> catalog.state().table(id), log));
            Vertx vertx = HttpFrontEnd.vertx(Runtime.getRuntime().availableProcessors());
            closing.add(() -> await(vertx.close().toCompletionStage()));
            BrokenIndexes broken = new BrokenIndexes(metrics);
            TableApps apps =
                    closing.add(
                            new TableApps(
                                    new NodeApps(
                                            config, data, kafka, board, schemas, log, metrics,
                                            broken)));
            Optional<NodeRegistry> registry =
                    config.isEmbedded() ? Optional.empty() : Optional.of(joinCluster());
            Cluster cluster =
                    registry.<Cluster>map(joined -> joined)
                            .orElseGet(
                                    () ->
                                            Cluster.alone(
                                                    new NodeAddress(
                                                            config.nodeId(),
                                                            config.http().host(),
                                                            0),
                                                    board));
            KafkaLoggedProgress logged =
                    closing.add(
                            new KafkaLoggedProgress(
                                    client, kafka.admin(), schemas, IndexTopics.UPDATES_END));
            catalog.addListener(
                    (before, after) ->
                            logged.keepOnly(
                                    after.tables().stream()
                                            .map(TableDefinition::id)
                                            .collect(Collectors.toSet())));
            LagView lags =
                    registry.map(joined -> ClusterLag.of(joined, logged, clock))
                            .orElseGet(() -> ClusterLag.alone(board, logged, clock));
            PartitionRouter router =
                    registry.isEmpty()
                            ? PartitionRouter.alone()
                            : closing.add(
                                    new ForwardingRouter(
                                            vertx,
                                            cluster,
                                            ForwardSettings.of(config.nodeId())
                                                    .withTimeout(config.http().requestTimeout())));
            WorkerPool workers = closing.add(new WorkerPool(WORKERS, WAITING));
            Readiness readiness =
                    new Readiness(
                            catalog,
                            cluster,
                            index -> config.roles().contains(Role.GSI) && !broken.has(index));
            BackPressure pressure =
                    closing.add(
                            new BackPressure(
                                    () -> catalog.state().tables(),
                                    lags,
                                    config.maxLag(),
                                    (table, index) ->
                                            new TableArn(config.region(), table.name())
                                                    .index(index),
                                    System::nanoTime));
            ThrottledWriteLog throttled = new ThrottledWriteLog(log, pressure, metrics);
            Services services = services(catalog, log, throttled, apps, router, lags, workers);
            BackfillWatch backfills = new BackfillWatch(cluster);
            Verifications verifications =
                    closing.add(
                            new Verifications(
                                    services,
                                    KafkaChangeFeed.source(client, schemas),
                                    () ->
                                            config.verifyRate()
                                                    .now(metrics.hasServedWithin(RECENTLY)),
                                    clock,
                                    metrics::verified));
            Map<String, Operation> verifying = VerificationOperations.of(services, verifications);
            OperationRegistry operations =
                    new OperationRegistry(
                            joined(
                                    operations(
                                            catalog, services, cluster, backfills, lags, pressure),
                                    verifying));
            Pages pages =
                    new Pages(
                            () -> readiness.missing().isEmpty(),
                            () ->
                                    metrics.scrape(
                                            catalog.state()::tables,
                                            lags,
                                            backfills,
                                            cluster,
                                            pressure,
                                            apps::states),
                            mount(
                                    new LagReport(() -> catalog.state().tables(), lags),
                                    new RegistryApi(ownSchemas)));
            registry.ifPresent(
                    joined -> {
                        int port =
                                listen(
                                        new HttpFrontEnd(
                                                vertx,
                                                settings(
                                                                config.internal().host(),
                                                                config.internal().port())
                                                        .forNodes(),
                                                new OperationRegistry(
                                                        joined(
                                                                DataOperations.forNodes(services),
                                                                verifying)),
                                                workers,
                                                pages,
                                                metrics),
                                        "internal port");
                        joined.announce(config.internal().host(), port);
                    });
            Lifecycle lifecycle =
                    closing.add(
                            new Lifecycle(
                                    config.roles(),
                                    catalog,
                                    apps,
                                    cluster,
                                    log,
                                    new LogTopics(
                                            kafka.admin(),
                                            TopicSettings.replicated(kafka.replication())
                                                    .withSyncedWrites(config.kafka().fsync())),
                                    new BackfillPacing(
                                            apps,
                                            config.backfillRate(),
                                            () -> metrics.hasServedWithin(RECENTLY)),
                                    backfills,
                                    broken,
                                    clock,
                                    kafka.admin()));
            lifecycle.start();
            ExpirySweep expiry =
                    closing.add(
                            new ExpirySweep(
                                    () -> catalog.state().tables(),
                                    board,
                                    services.stores(),
                                    services.log(),
                                    clock,
                                    config.expiryInterval(),
                                    metrics));
            expiry.start();
            awaitReady(readiness);
            pressure.start();
            config.verifyInterval()
                    .ifPresent(
                            interval ->
                                    verifications.repeat(
                                            interval, catalog.state()::tables, cluster::leads));
            int port =
                    listen(
                            new HttpFrontEnd(
                                    vertx,
                                    settings(config.http().host(), config.http().port()),
                                    operations,
                                    workers,
                                    pages,
                                    metrics),
                            "port");
            return new Started(
                    URI.create("http://" + host(config.http().host()) + ":" + port), apps);
        }

        private static Map<String, Operation> joined(
                Map<String, Operation> some, Map<String, Operation> others) {
            Map<String, Operation> all = new HashMap<>(some);
            all.putAll(others);
            return all;
        }

        private NodeRegistry joinCluster() {
            return closing.add(
                    NodeRegistry.start(
                            NodeRegistrySettings.of(
                                            config.nodeId(),
                                            config.roles().stream()
                                                    .map(
                                                            role ->
                                                                    role.name()
                                                                            .toLowerCase(
                                                                                    Locale.ROOT))
                                                    .collect(Collectors.toSet()),
                                            kafka.bootstrapServers())
                                    .withReplication(kafka.replication()),
                            board,
                            clock,
                            failure -> fail("node registry: " + failure.getMessage())));
        }

        private Services services(
                LogCatalog catalog,
                KafkaWriteLog log,
                WriteLog throttled,
                TableApps apps,
                PartitionRouter router,
                LagView lags,
                WorkerPool workers) {
            TableLookup tables = name -> catalog.state().table(name);
            AcknowledgedWrites acknowledged = new AcknowledgedWrites();
            catalog.addListener(
                    (before, after) ->
                            before.tables().stream()
                                    .filter(table -> after.table(table.id()).isEmpty())
                                    .forEach(
                                            gone -> {
                                                log.forget(gone);
                                                acknowledged.forget(gone.id());
                                            }));
            StreamsDirectory directory =
                    new StreamsDirectory() {
                        @Override
                        public Optional<KafkaStreams> base(TableId table) {
                            return apps.base(table);
                        }

                        @Override
                        public Optional<KafkaStreams> index(IndexId index) {
                            return apps.index(index);
                        }
                    };
            ReadIndex readIndex =
                    new ReadIndex(
                            board, new KafkaLogEnds(kafka.admin()), log, BARRIER_AFTER, READ_LIMIT);
            return new Services(
                    tables,
                    new OwnedWriteLog(throttled, board),
                    router,
                    new StreamsStores(directory, board),
                    readIndex,
                    new IndexFreshness(
                            board,
                            lags,
                            acknowledged,
                            new CurrentPositions(router, readIndex),
                            config.indexReadWait(),
                            READ_LIMIT),
                    acknowledged,
                    workers);
        }

        private Map<String, Operation> operations(
                LogCatalog catalog,
                Services services,
                Cluster cluster,
                BackfillWatch backfills,
                LagView lags,
                BackPressure pressure) {
            Map<String, Operation> operations = new HashMap<>(DataOperations.forClients(services));
            operations.putAll(ViolationOperations.of(services, cluster));
            TableSettings settings =
                    new TableSettings(
                            config.region(),
                            config.tablePartitions(),
                            config.itemCollectionLimit(),
                            config.onlineIndexOperations());
            operations.putAll(
                    new TableOperations(
                                    catalog,
                                    services.log(),
                                    settings,
                                    clock,
                                    new SecureRandom(),
                                    TableStatistics.NONE,
                                    backfills,
                                    lags,
                                    pressure)
                            .byName());
            operations.putAll(
                    new IndexOperations(catalog, settings, clock, backfills, lags, pressure)
                            .byName());
            return operations;
        }

        private IngestSettings ingestSettings() {
            IngestSettings defaults = IngestSettings.defaults(kafka.bootstrapServers());
            return new IngestSettings(
                    defaults.bootstrapServers(),
                    "tidemark-" + config.nodeId(),
                    config.writeLinger(),
                    defaults.compression(),
                    config.writeTimeout(),
                    defaults.deliveryTimeout(),
                    defaults.maxBlock(),
                    defaults.maxInFlight(),
                    defaults.maxInFlightBytes(),
                    defaults.overrides());
        }

        private HttpSettings settings(String host, int port) {
            return HttpSettings.at(host, port)
                    .withRegion(config.region())
                    .withMaxInFlight(config.http().maxInFlight())
                    .withRequestTimeout(config.http().requestTimeout())
                    .withStopTimeout(STOP_HTTP);
        }

        private int listen(HttpFrontEnd frontEnd, String what) {
            try {
                int port = await(frontEnd.start());
                closing.add(() -> await(frontEnd.stop()));
                return port;
            } catch (CompletionException e) {
                throw new StartException("The " + what + " can't be had (" + e.getCause() + ")", e);
            }
        }

        private void awaitReady(Readiness readiness) {
            long say = System.nanoTime() + SAY_NANOS;
            for (Optional<String> missing = readiness.missing();
                    missing.isPresent();
                    missing = readiness.missing()) {
                if (System.nanoTime() > say) {
                    say = System.nanoTime() + SAY_NANOS;
                    LOGGER.atInfo()
                            .addKeyValue("missing", missing.orElseThrow())
                            .log("not ready yet");
                }
                if (closed.get()) {
                    throw new StartException("The node had to stop before it was ready");
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        private Pages.Mount mount(LagReport lags, RegistryApi registry) {
            return path ->
                    path.equals("/lag")
                            ? Optional.of(Page.json(200, lags.json()))
                            : registry.get(path)
                                    .map(
                                            found ->
                                                    new Page(
                                                            found.status(),
                                                            RegistryApi.CONTENT_TYPE,
                                                            found.body()
                                                                    .getBytes(
                                                                            StandardCharsets
                                                                                    .UTF_8)));
        }
    }

    private static String host(String host) {
        return host.equals("0.0.0.0") ? "127.0.0.1" : host;
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(STOP_HTTP.toSeconds() * 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new CompletionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }
}
