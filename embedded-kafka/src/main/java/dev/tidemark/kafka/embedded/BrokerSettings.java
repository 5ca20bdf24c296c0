package dev.tidemark.kafka.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The Kafka settings of a single broker and controller that share one process and one folder. */
final class BrokerSettings {

    static final int NODE_ID = 1;
    static final String LOOPBACK = "127.0.0.1";
    static final String BROKER_LISTENER = "BROKER";
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private static final String ONE = "1";
    private static final String INTERNAL_PARTITIONS = "4";
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final int HOUR_MILLIS = 3_600_000;
    private static final int LARGEST_BATCH = 16 * MIB;

    private BrokerSettings() {}

    static Properties of(
            Path logFolder, int brokerPort, int controllerPort, Map<String, String> overrides) {
        Properties settings = new Properties();
        identity(settings, logFolder, brokerPort, controllerPort);
        singleReplica(settings);
        quickStartAndStop(settings);
        smallFootprint(settings);
        logs(settings);
        settings.putAll(overrides);
        return settings;
    }

    private static void identity(
            Properties settings, Path logFolder, int brokerPort, int controllerPort) {
        String broker = BROKER_LISTENER + "://" + LOOPBACK + ":" + brokerPort;
        String controller = CONTROLLER_LISTENER + "://" + LOOPBACK + ":" + controllerPort;
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE_ID));
        settings.put("listeners", broker + "," + controller);
        settings.put("advertised.listeners", broker);
        settings.put("inter.broker.listener.name", BROKER_LISTENER);
        settings.put("controller.listener.names", CONTROLLER_LISTENER);
        settings.put(
                "listener.security.protocol.map",
                BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
        // Static voters come from the settings and not from the log, so ports may change at each
        // start.
        settings.put("controller.quorum.voters", NODE_ID + "@" + LOOPBACK + ":" + controllerPort);
        settings.put("log.dirs", logFolder.toString());
    }

    private static void singleReplica(Properties settings) {
        settings.put("default.replication.factor", ONE);
        settings.put("min.insync.replicas", ONE);
        settings.put("num.partitions", ONE);
        settings.put("offsets.topic.replication.factor", ONE);
        settings.put("offsets.topic.num.partitions", INTERNAL_PARTITIONS);
        settings.put("transaction.state.log.replication.factor", ONE);
        settings.put("transaction.state.log.min.isr", ONE);
        settings.put("transaction.state.log.num.partitions", INTERNAL_PARTITIONS);
        settings.put("share.coordinator.state.topic.replication.factor", ONE);
        settings.put("share.coordinator.state.topic.min.isr", ONE);
        settings.put("share.coordinator.state.topic.num.partitions", ONE);
    }

    private static void quickStartAndStop(Properties settings) {
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("group.min.session.timeout.ms", "500");
        settings.put("group.coordinator.append.linger.ms", "0");
        // Controller and broker share a process, so neither outlives the other: fencing a broker
        // that is late, on
        // a machine with more work than time, would only make it take up its partitions anew. A
        // killed broker's
        // registration is removed by its successor.
        settings.put("broker.session.timeout.ms", Integer.toString(HOUR_MILLIS));
        settings.put("broker.heartbeat.interval.ms", "250");
        settings.put("auto.leader.rebalance.enable", "false");
    }

    private static void smallFootprint(Properties settings) {
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        settings.put("background.threads", "2");
        settings.put("num.recovery.threads.per.data.dir", "2");
        settings.put("num.replica.fetchers", ONE);
        settings.put("group.coordinator.threads", ONE);
        settings.put("share.coordinator.threads", ONE);
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(16 * MIB));
        settings.put("fetch.purgatory.purge.interval.requests", "100");
        settings.put("producer.purgatory.purge.interval.requests", "100");
        // No no-op records: an idle broker neither writes nor wakes its readers.
        settings.put("metadata.max.idle.interval.ms", "0");
        settings.put("metric.reporters", "");
    }

    private static void logs(Properties settings) {
        settings.put("auto.create.topics.enable", "false");
        settings.put("delete.topic.enable", "true");
        settings.put("log.segment.delete.delay.ms", "100");
        settings.put("log.retention.ms", "-1");
        settings.put("log.retention.bytes", "-1");
        // After a kill the last segment of each log is read again.
        settings.put("log.segment.bytes", Integer.toString(64 * MIB));
        settings.put("offsets.topic.segment.bytes", Integer.toString(16 * MIB));
        settings.put("transaction.state.log.segment.bytes", Integer.toString(16 * MIB));
        settings.put("log.index.size.max.bytes", Integer.toString(512 * KIB));
        settings.put("log.preallocate", "false");
        settings.put("message.max.bytes", Integer.toString(LARGEST_BATCH));
        settings.put("replica.fetch.max.bytes", Integer.toString(LARGEST_BATCH));
        // An index that was idle for years still knows how far it has read.
        settings.put("offsets.retention.minutes", Integer.toString(Integer.MAX_VALUE));
    }
}
