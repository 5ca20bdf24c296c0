package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A table and what is remembered of the indexes it had.
 *
 * @param definition the table now
 * @param generations the highest generation ever given to each index name, also of removed indexes
 */
record TableEntry(TableDefinition definition, Map<IndexName, Integer> generations) {

    TableEntry {
        generations = Collections.unmodifiableMap(new TreeMap<>(generations));
    }

    static TableEntry created(TableDefinition definition) {
        Map<IndexName, Integer> generations = new TreeMap<>();
        definition
                .globalIndexes()
                .forEach(index -> generations.put(index.name(), index.generation()));
        return new TableEntry(definition, generations);
    }

    TableEntry with(TableDefinition next) {
        return new TableEntry(next, generations);
    }

    int nextGeneration(IndexName index) {
        return generations.getOrDefault(index, 0) + 1;
    }

    TableEntry plusIndex(GlobalIndex index) {
        Map<IndexName, Integer> known = new TreeMap<>(generations);
        known.put(index.name(), index.generation());
        List<GlobalIndex> indexes = new ArrayList<>(definition.globalIndexes());
        indexes.add(index);
        return new TableEntry(settled(definition.withGlobalIndexes(indexes)), known);
    }

    /** Returns the table with another version of an index it has, matched by name. */
    TableEntry withIndex(GlobalIndex next) {
        return with(
                settled(
                        definition.withGlobalIndexes(
                                definition.globalIndexes().stream()
                                        .map(
                                                index ->
                                                        index.name().equals(next.name())
                                                                ? next
                                                                : index)
                                        .toList())));
    }

    TableEntry minusIndex(GlobalIndex index) {
        return with(
                settled(
                        definition.withGlobalIndexes(
                                definition.globalIndexes().stream()
                                        .filter(other -> !other.equals(index))
                                        .toList())));
    }

    /** Returns the index if it is of this generation. */
    Optional<GlobalIndex> index(IndexName name, int generation) {
        return definition.globalIndex(name).filter(index -> index.generation() == generation);
    }

    /** Refuses what a table can't take while it is made or removed. */
    void requireExisting() {
        if (definition.status() == TableStatus.CREATING) {
            throw inUse("Table is being created: " + definition.name());
        }
        if (definition.status() == TableStatus.DELETING) {
            throw inUse("Table is being deleted: " + definition.name());
        }
    }

    static ApiException inUse(String reason) {
        return new ApiException(
                ApiError.RESOURCE_IN_USE,
                "Attempt to change a resource which is still in use: " + reason);
    }

    /** A table is UPDATING exactly while some index of it comes or goes. */
    private static TableDefinition settled(TableDefinition definition) {
        boolean settled =
                definition.globalIndexes().stream()
                        .allMatch(index -> index.status() == IndexStatus.ACTIVE);
        return definition.withStatus(settled ? TableStatus.ACTIVE : TableStatus.UPDATING);
    }
}
