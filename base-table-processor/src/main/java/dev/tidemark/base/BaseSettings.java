package dev.tidemark.base;

import dev.tidemark.model.table.TableDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.streams.StreamsConfig;

/**
 * How the apps of a node's tables run.
 *
 * @param bootstrapServers where Kafka is
 * @param stateFolder where the stores of all apps lie, a folder for each
 * @param nodeId tells this node from the others for ever, also across restarts: under it a node
 *     that comes back takes up its partitions at once
 * @param applicationServer where other nodes reach this one, as {@code host:port}
 * @param threads the stream threads of each app
 * @param standbys how many other nodes hold a copy of each partition
 * @param replicationFactor of the changelogs; -1 for the broker's default
 * @param commitInterval how long a transaction lasts
 * @param pollInterval how long an idle thread waits at a time; it looks at the commit timer only in
 *     between
 * @param sessionTimeout how long a silent node keeps its partitions
 * @param transactionTimeout how long a dead node's transaction holds back who reads what is
 *     committed
 * @param storeMemory the bytes that the stores of all apps with this setting share for blocks and
 *     unflushed writes
 * @param overrides Streams settings that win over all of these
 */
public record BaseSettings(
        String bootstrapServers,
        Path stateFolder,
        String nodeId,
        Optional<String> applicationServer,
        int threads,
        int standbys,
        int replicationFactor,
        Duration commitInterval,
        Duration pollInterval,
        Duration sessionTimeout,
        Duration transactionTimeout,
        long storeMemory,
        Map<String, String> overrides) {

    /** The largest request a producer sends: one record of the largest size, and its framing. */
    public static final int MAX_REQUEST_SIZE = 4 * 1024 * 1024;

    private static final Pattern NODE_ID = Pattern.compile("[a-zA-Z0-9._-]{1,100}");
    private static final long MIN_STORE_MEMORY = 8L * 1024 * 1024;
    private static final int HEARTBEATS_PER_SESSION = 4;

    public BaseSettings {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("Invalid bootstrap servers: none");
        }
        if (!NODE_ID.matcher(nodeId).matches()) {
            throw new IllegalArgumentException(
                    "Invalid node id: 1 to 100 letters, digits, dots, dashes or underscores");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("Invalid threads: fewer than 1");
        }
        if (standbys < 0) {
            throw new IllegalArgumentException("Invalid standbys: negative");
        }
        if (replicationFactor < 1 && replicationFactor != -1) {
            throw new IllegalArgumentException(
                    "Invalid replication factor: neither positive nor -1");
        }
        requirePositive("commit interval", commitInterval);
        requirePositive("poll interval", pollInterval);
        requirePositive("session timeout", sessionTimeout);
        requirePositive("transaction timeout", transactionTimeout);
        if (transactionTimeout.compareTo(commitInterval) <= 0) {
            throw new IllegalArgumentException(
                    "Invalid transaction timeout: not longer than the commit interval");
        }
        if (storeMemory < MIN_STORE_MEMORY) {
            throw new IllegalArgumentException("Invalid store memory: less than 8 MB");
        }
        overrides = Map.copyOf(overrides);
    }

    /** Returns the settings of a node that leaves everything at what was measured to be good. */
    public static BaseSettings of(String bootstrapServers, Path stateFolder, String nodeId) {
        return new BaseSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                Optional.empty(),
                1,
                0,
                -1,
                Duration.ofMillis(50),
                Duration.ofMillis(5),
                Duration.ofSeconds(6),
                Duration.ofSeconds(3),
                256L * 1024 * 1024,
                Map.of());
    }

    /** Returns these settings with another address for the other nodes. */
    public BaseSettings withApplicationServer(String hostAndPort) {
        return new BaseSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                Optional.of(hostAndPort),
                threads,
                standbys,
                replicationFactor,
                commitInterval,
                pollInterval,
                sessionTimeout,
                transactionTimeout,
                storeMemory,
                overrides);
    }

    /** Returns these settings with copies of partitions on other nodes. */
    public BaseSettings withStandbys(int copies) {
        return new BaseSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                applicationServer,
                threads,
                copies,
                replicationFactor,
                commitInterval,
                pollInterval,
                sessionTimeout,
                transactionTimeout,
                storeMemory,
                overrides);
    }

    /** Returns these settings with another session timeout. */
    public BaseSettings withSessionTimeout(Duration timeout) {
        return new BaseSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                applicationServer,
                threads,
                standbys,
                replicationFactor,
                commitInterval,
                pollInterval,
                timeout,
                transactionTimeout,
                storeMemory,
                overrides);
    }

    /** Returns these settings with Streams settings that win over all others. */
    public BaseSettings withOverrides(Map<String, String> streamsSettings) {
        return new BaseSettings(
                bootstrapServers,
                stateFolder,
                nodeId,
                applicationServer,
                threads,
                standbys,
                replicationFactor,
                commitInterval,
                pollInterval,
                sessionTimeout,
                transactionTimeout,
                storeMemory,
                streamsSettings);
    }

    /** Returns the settings of one table's Streams app. */
    Map<String, Object> streamsConfig(TableDefinition table) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, table.topics().baseApplication());
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString());
        applicationServer.ifPresent(
                server -> config.put(StreamsConfig.APPLICATION_SERVER_CONFIG, server));
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, standbys);
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replicationFactor);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitInterval.toMillis());
        config.put(StreamsConfig.POLL_MS_CONFIG, pollInterval.toMillis());

        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
        // outcomes are told before the commit, and strong reads must see them: that is sound
        // because
        // a command's outcome is a function of the log
        config.put(
                StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG,
                IsolationLevel.READ_UNCOMMITTED.toString());
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        config.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.NO_OPTIMIZATION);
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedStoreMemory.class);
        config.put(SharedStoreMemory.BYTES_CONFIG, storeMemory);
        config.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
        // beans and pushes for each app cost memory and start time, and nobody reads them
        config.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        config.put(StreamsConfig.METRIC_REPORTER_CLASSES_CONFIG, "");

        consumer(config, ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, nodeId);
        consumer(
                config,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                Math.toIntExact(sessionTimeout.toMillis()));
        consumer(
                config,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                Math.toIntExact(sessionTimeout.toMillis() / HEARTBEATS_PER_SESSION));
        consumer(config, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        // an empty long poll at the end of a restore would delay every start by half a second
        config.put(
                StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 10);

        producer(config, ProducerConfig.LINGER_MS_CONFIG, 0);
        // with more, every commit costs out-of-order errors that are harmless and loud
        producer(config, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        producer(config, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_SIZE);
        producer(
                config,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Math.toIntExact(transactionTimeout.toMillis()));
        config.putAll(overrides);
        return config;
    }

    private static void consumer(Map<String, Object> config, String name, Object value) {
        config.put(StreamsConfig.mainConsumerPrefix(name), value);
    }

    private static void producer(Map<String, Object> config, String name, Object value) {
        config.put(StreamsConfig.producerPrefix(name), value);
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("Invalid " + name + ": not positive");
        }
    }
}
