package dev.tidemark.kafka.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.QuorumConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A Kafka broker with its KRaft controller, running in this JVM on loopback, its data in a folder.
 *
 * <p>Topics, records, group positions and transactions outlive {@link #close()} and a killed
 * process; a start on the same folder, on whatever port, goes on from them. An acknowledged record
 * is in the operating system's page cache: it survives the end of the process, and of the machine
 * only on topics created with {@code flush.messages=1}.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {

    /*
     * Parts: Kafka's own start class ends the process on trouble and picks no free ports, so its three
     * parts are joined here as it joins them: what broker and controller share, the controller, the broker.
     *
     * Order: the folder lock comes first and goes last. Sockets are bound before anything is written, so a
     * taken port leaves no trace.
     *
     * Fatal faults: Kafka reports them to a fault handler or calls its exit procedure, on a thread of its
     * own. Both meet in FatalFaults. A start waits for the broker or for the first of those, whichever
     * comes first, because the broker's own start waits without bound.
     *
     * After a kill: the dead broker counts as leading its partitions until its registration goes. A broker that starts
     * before that takes up the coordinators of transactions and groups, loses them to the fencing of its predecessor
     * and takes them up again; a transaction that was being committed can then be counted as complete with markers
     * never written, and who reads what is committed waits for ever (docs/adr/0007). We hold the lock on the folder,
     * so the predecessor is dead: its registration is removed, and the broker starts once all here know of that. For
     * the same reason a broker that is alive is never fenced for its silence: see the session timeout in the settings.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final String LOGS = "log";

    private static final Duration CONTROLLER_BOUND = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 5_000_000;
    private static final long LEAST_FREE_BYTES = 32L * 1024 * 1024;
    private static final Duration CONTROLLED_SHUTDOWN = Duration.ofMillis(1_500);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final Path dataFolder;
    private final FolderLock folderLock;
    private final LoopbackSockets sockets;
    private final FatalFaults faults;
    private final SharedServer shared;
    private final ControllerServer controller;
    private final BrokerServer broker;
    private final String bootstrapServers;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedKafka(
            Path dataFolder,
            FolderLock folderLock,
            LoopbackSockets sockets,
            FatalFaults faults,
            SharedServer shared,
            ControllerServer controller,
            BrokerServer broker,
            String bootstrapServers) {
        this.dataFolder = dataFolder;
        this.folderLock = folderLock;
        this.sockets = sockets;
        this.faults = faults;
        this.shared = shared;
        this.controller = controller;
        this.broker = broker;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Starts a broker and returns when it answers clients.
     *
     * <p>On failure nothing keeps running, and port and folder are free again. In a process whose
     * default locale maps case otherwise than English does, the default case mapping becomes the
     * neutral one: Kafka needs it.
     *
     * @throws EmbeddedKafkaException if the folder is in use, can't be written to, is full or holds
     *     data this version can't read, or if the port is taken
     */
    public static EmbeddedKafka start(EmbeddedKafkaConfig config) {
        NeutralCase.require();
        FolderLock lock = FolderLock.take(config.dataFolder());
        LoopbackSockets sockets = new LoopbackSockets();
        try {
            requireFreeSpace(config.dataFolder());
            int port = bind(sockets, config.port());
            EmbeddedKafka kafka = build(config, lock, sockets, port, bind(sockets, 0));
            kafka.startUp();
            return kafka;
        } catch (EmbeddedKafkaException e) {
            closeQuietly(sockets);
            closeQuietly(lock);
            throw e;
        }
    }

    /** Returns what Kafka clients take as {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /**
     * Has {@code listener} told, once and on a thread of its own, why the broker ended without
     * being closed.
     *
     * <p>From then on the broker answers nobody; the listener is free to call {@link #close()}.
     * Told at once if that has happened already.
     */
    public void onFatal(Consumer<String> listener) {
        faults.listen(reason -> listener.accept(reason + diskOf(dataFolder)));
    }

    /**
     * Stops the broker within seconds and gives up its port and folder; further calls do nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> stopped =
                onDaemonThread(
                        "embedded-kafka-close",
                        () -> {
                            broker.shutdown(CONTROLLED_SHUTDOWN);
                            controller.shutdown();
                        });
        try {
            stopped.get(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOGGER.atWarn().log("the embedded broker did not stop in time and is left behind");
        } catch (ExecutionException e) {
            LOGGER.atWarn().setCause(e.getCause()).log("the embedded broker stopped with an error");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            FatalExits.forget(faults);
            closeQuietly(sockets);
            closeQuietly(folderLock);
        }
    }

    /** Has the controller forget the broker that ran before on this folder. */
    private void unregisterPredecessor() {
        long deadline = System.nanoTime() + CONTROLLER_BOUND.toNanos();
        while (!closed.get() && !isUnregistered(deadline)) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        long last = controller.raftManager().client().highWatermark().orElseThrow() - 1;
        while (!closed.get() && shared.loader().lastAppliedOffset() < last) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Returns whether there is no registration any more; the controller may not be ready yet. */
    private boolean isUnregistered(long deadline) {
        ControllerRequestContext context =
                new ControllerRequestContext(
                        new RequestHeaderData(),
                        KafkaPrincipal.ANONYMOUS,
                        OptionalLong.of(deadline));
        try {
            controller.controller().unregisterBroker(context, BrokerSettings.NODE_ID).get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NotControllerException && System.nanoTime() < deadline) {
                return false;
            }
            if (e.getCause() instanceof BrokerIdNotRegisteredException) {
                return true;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    private void startUp() {
        FatalExits.reportTo(faults);
        CompletableFuture<Void> started =
                onDaemonThread(
                        "embedded-kafka-start",
                        () -> {
                            controller.startup();
                            unregisterPredecessor();
                            broker.startup();
                        });
        try {
            CompletableFuture.anyOf(started, faults.first()).get();
        } catch (ExecutionException e) {
            close();
            throw new EmbeddedKafkaException("Kafka can't start on data folder " + dataFolder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new EmbeddedKafkaException("Kafka's start was interrupted");
        }
        if (faults.first().isDone()) {
            close();
            throw new EmbeddedKafkaException(
                    "Kafka can't start on data folder "
                            + dataFolder
                            + ": "
                            + faults.first().join());
        }
    }

    @SuppressWarnings("IllegalCatch") // the boundary to Kafka, which declares Exception
    private static EmbeddedKafka build(
            EmbeddedKafkaConfig config,
            FolderLock lock,
            LoopbackSockets sockets,
            int port,
            int controllerPort) {
        Path logFolder = config.dataFolder().resolve(LOGS);
        Properties settings =
                BrokerSettings.of(logFolder, port, controllerPort, config.overrides());
        try {
            KafkaConfig kafkaConfig = KafkaConfig.fromProps(settings, false);
            formatIfNew(logFolder);
            Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> folders =
                    KafkaRaftServer.initializeLogDirs(kafkaConfig, LOGGER, "");
            FatalFaults faults = new FatalFaults();
            SharedServer shared = shared(kafkaConfig, folders._1(), faults, sockets);
            return new EmbeddedKafka(
                    config.dataFolder(),
                    lock,
                    sockets,
                    faults,
                    shared,
                    new ControllerServer(shared, KafkaRaftServer.configSchema(), folders._2()),
                    new BrokerServer(shared),
                    BrokerSettings.LOOPBACK + ":" + port);
        } catch (Exception e) {
            throw new EmbeddedKafkaException(
                    "Kafka can't use data folder " + config.dataFolder(), e);
        }
    }

    private static SharedServer shared(
            KafkaConfig config,
            MetaPropertiesEnsemble folders,
            FatalFaults faults,
            LoopbackSockets sockets) {
        String clusterId = folders.clusterId().orElseThrow();
        return new SharedServer(
                config,
                folders,
                Time.SYSTEM,
                Server.initializeMetrics(config, Time.SYSTEM, clusterId),
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                List.of(),
                faults,
                sockets);
    }

    private static void formatIfNew(Path logFolder) throws Exception {
        if (Files.exists(logFolder.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME))) {
            return;
        }
        Formatter formatter =
                new Formatter()
                        .setPrintStream(
                                new PrintStream(
                                        OutputStream.nullOutputStream(),
                                        false,
                                        StandardCharsets.UTF_8))
                        .setClusterId(Uuid.randomUuid().toString())
                        .setNodeId(BrokerSettings.NODE_ID)
                        .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                        .setMetadataLogDirectory(logFolder.toString())
                        .addDirectory(logFolder.toString());
        formatter.run();
    }

    private static void requireFreeSpace(Path folder) {
        try {
            FileStore store = Files.getFileStore(folder);
            if (store.getUsableSpace() < LEAST_FREE_BYTES) {
                throw new EmbeddedKafkaException(
                        "Kafka data folder "
                                + folder
                                + " is on a full disk: "
                                + store.getUsableSpace()
                                + " bytes are free, "
                                + LEAST_FREE_BYTES
                                + " are needed to start");
            }
        } catch (IOException e) {
            throw new EmbeddedKafkaException("Kafka data folder " + folder + " can't be read", e);
        }
    }

    /**
     * Returns what Kafka does not say when it gives up: that the disk is full, or nothing if it is
     * not.
     */
    private static String diskOf(Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free < LEAST_FREE_BYTES
                    ? " (the disk of " + folder + " is full: " + free + " bytes are free)"
                    : "";
        } catch (IOException e) {
            return " (" + folder + " can't be read: " + e.getMessage() + ")";
        }
    }

    private static int bind(LoopbackSockets sockets, int port) {
        try {
            return sockets.bind(port);
        } catch (IOException e) {
            throw new EmbeddedKafkaException(
                    "Kafka port " + port + " on " + BrokerSettings.LOOPBACK + " can't be used", e);
        }
    }

    private static CompletableFuture<Void> onDaemonThread(String name, Runnable work) {
        return CompletableFuture.runAsync(
                work,
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    private static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            LOGGER.atWarn().setCause(e).log("a resource of the embedded broker did not close");
        }
    }
}
