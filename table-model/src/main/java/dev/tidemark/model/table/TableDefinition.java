package dev.tidemark.model.table;

import dev.tidemark.model.key.KeySchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A table as its owner defined it, with its indexes. Immutable; each change of the definition is a
 * new value.
 *
 * @param name unique among the tables of now
 * @param id unique among the tables of all times
 * @param key one partition attribute, at most one sort attribute
 * @param localIndexes at most 5, fixed at creation
 * @param globalIndexes at most 20
 * @param partitions the partitions of the table's log, fixed at creation, at least 1
 * @param billingMode how capacity is billed
 * @param throughput provisioned capacity
 * @param tags the owner's labels; those that begin with {@code tidemark:} are settings
 * @param deletionProtection whether DeleteTable is refused
 * @param createdAt when it was created
 * @param status where it is in its life
 * @param options what most tables leave as it is
 */
public record TableDefinition(
        TableName name,
        TableId id,
        KeySchema key,
        List<LocalIndex> localIndexes,
        List<GlobalIndex> globalIndexes,
        int partitions,
        BillingMode billingMode,
        Throughput throughput,
        Map<String, String> tags,
        boolean deletionProtection,
        Instant createdAt,
        TableStatus status,
        TableOptions options) {

    /**
     * The tag that says how much of its history a table keeps: {@code full}, the default, or {@code
     * compact}.
     */
    public static final String HISTORY = "tidemark:history";

    private static final String COMPACT = "compact";

    public TableDefinition {
        localIndexes = List.copyOf(localIndexes);
        globalIndexes = List.copyOf(globalIndexes);
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        if (partitions < 1) {
            throw new IllegalArgumentException("Invalid table definition: no partitions");
        }
    }

    /** Makes a table with the options most tables have. */
    public TableDefinition(
            TableName name,
            TableId id,
            KeySchema key,
            List<LocalIndex> localIndexes,
            List<GlobalIndex> globalIndexes,
            int partitions,
            BillingMode billingMode,
            Throughput throughput,
            Map<String, String> tags,
            boolean deletionProtection,
            Instant createdAt,
            TableStatus status) {
        this(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                billingMode,
                throughput,
                tags,
                deletionProtection,
                createdAt,
                status,
                TableOptions.DEFAULT);
    }

    public Optional<LocalIndex> localIndex(IndexName index) {
        return localIndexes.stream().filter(local -> local.name().equals(index)).findFirst();
    }

    public Optional<GlobalIndex> globalIndex(IndexName index) {
        return globalIndexes.stream().filter(global -> global.name().equals(index)).findFirst();
    }

    /**
     * Returns every generation of every global index: those that serve, or will once they are
     * built, then the spare ones.
     */
    public List<GlobalIndex> generations() {
        if (options.spares().isEmpty()) {
            return globalIndexes;
        }
        List<GlobalIndex> all = new ArrayList<>(globalIndexes);
        options.spares().forEach(spare -> all.add(spare.index()));
        return List.copyOf(all);
    }

    /** Returns the generation of this name that is kept for this purpose. */
    public Optional<SpareGeneration> spare(IndexName index, SpareGeneration.Purpose purpose) {
        return options.spares().stream()
                .filter(spare -> spare.index().name().equals(index) && spare.purpose() == purpose)
                .findFirst();
    }

    /**
     * Returns whether the topic of changes may be compacted: of the changes of one item only the
     * last are kept for sure, and a deletion is followed by a record without a value.
     */
    public boolean compactsHistory() {
        return COMPACT.equals(tags.get(HISTORY));
    }

    /** Returns the names of the table's topics and applications. */
    public TableTopics topics() {
        return new TableTopics(name, id);
    }

    public TableDefinition withStatus(TableStatus next) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                billingMode,
                throughput,
                tags,
                deletionProtection,
                createdAt,
                next,
                options);
    }

    public TableDefinition withGlobalIndexes(List<GlobalIndex> next) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                next,
                partitions,
                billingMode,
                throughput,
                tags,
                deletionProtection,
                createdAt,
                status,
                options);
    }

    public TableDefinition withTags(Map<String, String> next) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                billingMode,
                throughput,
                next,
                deletionProtection,
                createdAt,
                status,
                options);
    }

    public TableDefinition withBilling(BillingMode mode, Throughput capacity) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                mode,
                capacity,
                tags,
                deletionProtection,
                createdAt,
                status,
                options);
    }

    public TableDefinition withDeletionProtection(boolean next) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                billingMode,
                throughput,
                tags,
                next,
                createdAt,
                status,
                options);
    }

    public TableDefinition withOptions(TableOptions next) {
        return new TableDefinition(
                name,
                id,
                key,
                localIndexes,
                globalIndexes,
                partitions,
                billingMode,
                throughput,
                tags,
                deletionProtection,
                createdAt,
                status,
                next);
    }
}
