package dev.tidemark.query.record;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;

/** One of the product's own topics of one partition. */
public final class LogTopic {

    private static final Duration BACKOFF = Duration.ofMillis(20);

    private LogTopic() {}

    /**
     * Makes the topic unless it is there.
     *
     * @throws ApiException if the broker does not answer in time
     * @throws IllegalStateException if the topic can't be made or has other than one partition
     */
    public static void ensure(
            Admin admin,
            String topic,
            short replication,
            Map<String, String> config,
            Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        NewTopic wanted = new NewTopic(topic, 1, replication).configs(config);
        while (true) {
            try {
                await(admin.createTopics(List.of(wanted)).all(), deadline);
                break;
            } catch (TopicExistsException e) {
                break;
            } catch (RetriableException e) {
                pause(deadline);
            }
        }
        while (true) {
            try {
                int partitions =
                        await(admin.describeTopics(List.of(topic)).allTopicNames(), deadline)
                                .values()
                                .stream()
                                .mapToInt(description -> description.partitions().size())
                                .sum();
                if (partitions != 1) {
                    throw new IllegalStateException(
                            "Topic " + topic + " must have one partition, not " + partitions);
                }
                return;
            } catch (RetriableException e) {
                // a topic just made is not known to every broker at once
                pause(deadline);
            }
        }
    }

    /**
     * Returns the offset the next record will have.
     *
     * @throws ApiException if the broker does not answer in time
     */
    public static long end(Admin admin, TopicPartition partition, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return await(
                                admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                                        .partitionResult(partition),
                                deadline)
                        .offset();
            } catch (RetriableException e) {
                pause(deadline);
            }
        }
    }

    private static <T> T await(KafkaFuture<T> future, long deadline) {
        try {
            return future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("Topic could not be made or read", e);
        } catch (TimeoutException e) {
            throw late();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw late();
        }
    }

    private static void pause(long deadline) {
        if (System.nanoTime() > deadline) {
            throw late();
        }
        try {
            Thread.sleep(BACKOFF.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw late();
        }
    }

    private static ApiException late() {
        return new ApiException(ApiError.SERVICE_UNAVAILABLE, "The broker did not answer in time");
    }
}
