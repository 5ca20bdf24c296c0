package dev.tidemark.ingest;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableTopics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Makes and removes the topics of tables: writes, changes and rejects, all kept for ever. Every
 * method may be called again after it failed, and blocks. Thread-safe.
 */
public final class LogTopics {

    /** A change carries two images of an item. */
    private static final int MAX_CHANGE_BYTES = 4 * 1024 * 1024;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Admin admin;
    private final TopicSettings settings;

    /** Uses {@code admin} without ever closing it. */
    public LogTopics(Admin admin, TopicSettings settings) {
        this.admin = admin;
        this.settings = settings;
    }

    /**
     * Makes the topics of {@code table} that are missing and waits until each partition has a
     * leader.
     *
     * @throws TopicsException if that fails or takes too long, or if there is a topic with another
     *     number of partitions
     */
    public void create(TableDefinition table) {
        long deadline = deadline();
        TableTopics topics = table.topics();
        List<NewTopic> wanted =
                List.of(
                        topic(topics.writes(), table, IngestSettings.MAX_WRITE_BYTES),
                        topic(topics.changes(), table, MAX_CHANGE_BYTES),
                        topic(topics.rejects(), table, MAX_CHANGE_BYTES));
        Map<String, KafkaFuture<Void>> results = admin.createTopics(wanted).values();
        for (KafkaFuture<Void> result : results.values()) {
            try {
                await(result, deadline);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new TopicsException("Can't make the topics of a table", e);
                }
            }
        }
        while (!isReady(wanted, deadline)) {
            pause(deadline);
        }
    }

    /**
     * Removes the topics of {@code table} and waits until they are gone.
     *
     * @throws TopicsException if that fails or takes too long
     */
    public void delete(TableDefinition table) {
        long deadline = deadline();
        List<String> names = names(table);
        for (KafkaFuture<Void> result : admin.deleteTopics(names).topicNameValues().values()) {
            try {
                await(result, deadline);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw new TopicsException("Can't remove the topics of a table", e);
                }
            }
        }
        for (String name : names) {
            while (exists(name, deadline)) {
                pause(deadline);
            }
        }
    }

    private NewTopic topic(String name, TableDefinition table, int maxMessageBytes) {
        Map<String, String> configs = new HashMap<>();
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        configs.put(TopicConfig.RETENTION_MS_CONFIG, "-1");
        configs.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
        configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes));
        configs.put(
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                Integer.toString(settings.minInSyncReplicas()));
        if (table.compactsHistory() && name.equals(table.topics().changes())) {
            configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            configs.put(
                    TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                    Long.toString(HistoryCompaction.KEPT_FOR_SURE.toMillis()));
        }
        if (settings.syncsWrites() && name.equals(table.topics().writes())) {
            configs.put(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, "1");
        }
        return new NewTopic(name, table.partitions(), settings.replicationFactor())
                .configs(configs);
    }

    private boolean isReady(List<NewTopic> wanted, long deadline) {
        List<String> names = wanted.stream().map(NewTopic::name).toList();
        Map<String, KafkaFuture<TopicDescription>> results =
                admin.describeTopics(names, timeout(deadline)).topicNameValues();
        for (NewTopic topic : wanted) {
            KafkaFuture<TopicDescription> result = results.get(topic.name());
            if (result == null) {
                return false;
            }
            try {
                TopicDescription description = await(result, deadline);
                if (description.partitions().size() != topic.numPartitions()) {
                    throw new TopicsException(
                            "A topic of the table has another number of partitions");
                }
                if (description.partitions().stream()
                        .anyMatch(
                                partition ->
                                        partition.leader() == null
                                                || partition.leader().isEmpty())) {
                    return false;
                }
            } catch (ExecutionException e) {
                // the broker that answers may not have heard of the topic yet
                if (!(e.getCause() instanceof RetriableException)) {
                    throw new TopicsException("Can't see the topics of a table", e);
                }
                return false;
            }
        }
        return true;
    }

    private boolean exists(String name, long deadline) {
        try {
            for (KafkaFuture<TopicDescription> result :
                    admin.describeTopics(List.of(name), timeout(deadline))
                            .topicNameValues()
                            .values()) {
                await(result, deadline);
            }
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            if (e.getCause() instanceof RetriableException) {
                return true;
            }
            throw new TopicsException("Can't see the topics of a table", e);
        }
    }

    private static List<String> names(TableDefinition table) {
        TableTopics topics = table.topics();
        return List.of(topics.writes(), topics.changes(), topics.rejects());
    }

    private long deadline() {
        return System.nanoTime() + settings.timeout().toNanos();
    }

    private static DescribeTopicsOptions timeout(long deadline) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        return new DescribeTopicsOptions().timeoutMs((int) Math.max(1, left));
    }

    private static <T> T await(KafkaFuture<T> future, long deadline) throws ExecutionException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TopicsException("Kafka takes too long over the topics of a table", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static void pause(long deadline) {
        if (System.nanoTime() > deadline) {
            throw new TopicsException("Kafka takes too long over the topics of a table");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new TopicsException("Interrupted while waiting for the topics of a table");
        }
    }
}
