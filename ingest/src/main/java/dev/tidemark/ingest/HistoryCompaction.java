package dev.tidemark.ingest;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Compaction of the topics of changes of tables that keep a compact history: held while an index is
 * filled from one, and let go on afterwards. Not thread-safe.
 */
public final class HistoryCompaction {

    /*
     * Why it is held: a compacted history replays exactly, but a cleaner that overtakes a reader takes changes from before it
     * that the reader needs: what it read of an item earlier is then never taken back. Below the sequence at which the reader
     * began, that can't be told from what earlier cleanings left.
     *
     * How it is certain: the topic's policy becomes "delete", with nothing ever old enough to be deleted. A broker that
     * takes a topic off compaction aborts a cleaning of it under way, and waits for that, when it applies the change. It tells the
     * new policy from the moment it has it, and applies it in the same step; the grace covers what lies in between.
     */

    /** How long compaction leaves a change alone, so that readers that keep up never miss one. */
    public static final Duration KEPT_FOR_SURE = Duration.ofHours(1);

    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Admin admin;
    private final LongSupplier nanos;

    /** Since when the policy is known to be the one that holds compaction. */
    private final Map<TableId, Long> heldSince = new HashMap<>();

    /** Tables whose policy is known to let compaction go on. */
    private final Set<TableId> released = new HashSet<>();

    /**
     * Makes it; {@code admin} stays the caller's to close.
     *
     * @param nanos a clock like {@link System#nanoTime}
     */
    public HistoryCompaction(Admin admin, LongSupplier nanos) {
        this.admin = admin;
        this.nanos = nanos;
    }

    /**
     * Holds the compaction of a table's changes; returns whether it is certain that none goes on.
     * To be called again until it is.
     *
     * @throws TopicsException if Kafka refuses or takes too long; calling again is right
     */
    public boolean hold(TableDefinition table) {
        released.remove(table.id());
        Long since = heldSince.get(table.id());
        if (since == null) {
            set(table, TopicConfig.CLEANUP_POLICY_DELETE);
            if (policy(table).equals(TopicConfig.CLEANUP_POLICY_DELETE)) {
                heldSince.put(table.id(), nanos.getAsLong());
            }
            return false;
        }
        return nanos.getAsLong() - since >= GRACE_NANOS;
    }

    /**
     * Lets the compaction of a table's changes go on.
     *
     * @throws TopicsException if Kafka refuses or takes too long; calling again is right
     */
    public void release(TableDefinition table) {
        heldSince.remove(table.id());
        if (!released.contains(table.id())) {
            if (!policy(table).equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                set(table, TopicConfig.CLEANUP_POLICY_COMPACT);
            }
            released.add(table.id());
        }
    }

    /** Forgets all tables but these. */
    public void keepOnly(Collection<TableId> tables) {
        heldSince.keySet().retainAll(tables);
        released.retainAll(tables);
    }

    private void set(TableDefinition table, String policy) {
        AlterConfigOp change =
                new AlterConfigOp(
                        new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, policy),
                        AlterConfigOp.OpType.SET);
        await(admin.incrementalAlterConfigs(Map.of(topic(table), List.of(change))).all());
    }

    private String policy(TableDefinition table) {
        ConfigResource topic = topic(table);
        Map<ConfigResource, Config> configs = await(admin.describeConfigs(List.of(topic)).all());
        return configs.values().stream()
                .map(config -> config.get(TopicConfig.CLEANUP_POLICY_CONFIG))
                .map(ConfigEntry::value)
                .findFirst()
                .orElseThrow();
    }

    private static ConfigResource topic(TableDefinition table) {
        return new ConfigResource(ConfigResource.Type.TOPIC, table.topics().changes());
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TopicsException("The compaction of a topic can't be set", e);
        } catch (TimeoutException e) {
            throw new TopicsException("Kafka takes too long over the settings of a topic", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
