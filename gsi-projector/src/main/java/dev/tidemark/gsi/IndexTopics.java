package dev.tidemark.gsi;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What the app of one generation of a global index keeps in Kafka: internal topics and the position
 * of its consumer group.
 *
 * @param applicationId the app's id, which is its group as well
 */
public record IndexTopics(String applicationId) {

    /** What the name of the topic of updates ends with, behind the application id. */
    public static final String UPDATES_END = "-updates-repartition";

    static final String UPDATES = "updates";
    static final String ENTRIES = "entries";
    static final String READ = "read";
    static final String VIOLATIONS = "violations";

    /** Returns what the app of this generation of {@code index} keeps. */
    public static IndexTopics of(TableTopics table, IndexName index, int generation) {
        return new IndexTopics(table.indexApplication(index, generation));
    }

    /** Returns the topic of updates, purged as it is read. */
    public String updates() {
        return applicationId + UPDATES_END;
    }

    /** Returns the topic from which the index's entries and tidemarks are restored. */
    public String entriesChangelog() {
        return applicationId + "-" + ENTRIES + "-changelog";
    }

    /** Returns the topic from which it is restored how far changes have been read. */
    public String readChangelog() {
        return applicationId + "-" + READ + "-changelog";
    }

    /**
     * Returns the compacted topic that lists the items without a place in the index, each under the
     * bytes of its key, as {@link dev.tidemark.gsi.projection.ViolationRecord} says it.
     */
    public String violations() {
        return applicationId + "-" + VIOLATIONS + "-changelog";
    }

    public List<String> all() {
        return List.of(updates(), entriesChangelog(), readChangelog(), violations());
    }

    /**
     * Deletes the topics and the group; those that do not exist count as deleted. The app must be
     * closed for good on every node.
     *
     * @throws KafkaException if something could not be deleted in time; calling again is right
     */
    public void delete(Admin admin, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, KafkaFuture<Void>> topics = admin.deleteTopics(all()).topicNameValues();
        Collection<KafkaFuture<Void>> groups =
                admin.deleteConsumerGroups(List.of(applicationId)).deletedGroups().values();
        topics.values().forEach(deleted -> await(deleted, deadline));
        groups.forEach(deleted -> await(deleted, deadline));
    }

    private static void await(KafkaFuture<Void> deleted, long deadline) {
        try {
            deleted.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            boolean absent =
                    e.getCause() instanceof UnknownTopicOrPartitionException
                            || e.getCause() instanceof GroupIdNotFoundException;
            if (!absent) {
                throw new KafkaException("An index's topics and group can't be deleted", e);
            }
        } catch (TimeoutException e) {
            throw new KafkaException("An index's topics and group were not deleted in time", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
