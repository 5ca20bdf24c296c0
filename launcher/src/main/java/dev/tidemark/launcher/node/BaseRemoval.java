package dev.tidemark.launcher.node;

import dev.tidemark.model.table.TableDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Removes from Kafka what the app of a table keeps there: its changelogs and its group. */
final class BaseRemoval {

    private final Admin admin;

    BaseRemoval(Admin admin) {
        this.admin = admin;
    }

    /**
     * Removes all of it; what is gone already counts as removed. The app must be closed for good on
     * every node.
     *
     * @throws KafkaException if something could not be removed in time; calling again is right
     */
    void remove(TableDefinition table, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        String application = table.topics().baseApplication();
        Set<String> names = await(admin.listTopics().names(), deadline);
        List<String> changelogs =
                names.stream().filter(name -> name.startsWith(application + "-")).toList();
        List<KafkaFuture<Void>> removals =
                new ArrayList<>(admin.deleteTopics(changelogs).topicNameValues().values());
        removals.addAll(admin.deleteConsumerGroups(List.of(application)).deletedGroups().values());
        removals.forEach(removed -> awaitAbsent(removed, deadline));
    }

    private static void awaitAbsent(KafkaFuture<Void> removed, long deadline) {
        try {
            await(removed, deadline);
        } catch (KafkaException e) {
            boolean absent =
                    e.getCause() instanceof UnknownTopicOrPartitionException
                            || e.getCause() instanceof GroupIdNotFoundException;
            if (!absent) {
                throw e;
            }
        }
    }

    private static <T> T await(KafkaFuture<T> future, long deadline) {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new KafkaException(
                    "What a table's app keeps in Kafka can't be removed", e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException(
                    "What a table's app keeps in Kafka was not removed in time", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
