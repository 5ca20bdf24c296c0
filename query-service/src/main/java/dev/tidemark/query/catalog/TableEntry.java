package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.SpareGeneration.Purpose;
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
        TableDefinition next =
                definition.withGlobalIndexes(
                        definition.globalIndexes().stream()
                                .filter(other -> !other.equals(index))
                                .toList());
        return with(settled(next)).withoutSpare(index);
    }

    /** Returns the index if it is of this generation, which need not be the one that serves. */
    Optional<GlobalIndex> index(IndexName name, int generation) {
        return definition.generations().stream()
                .filter(index -> index.name().equals(name) && index.generation() == generation)
                .findFirst();
    }

    /** Returns the table with another version of a generation it has. */
    TableEntry withGeneration(GlobalIndex next) {
        if (definition.globalIndex(next.name()).orElseThrow().generation() == next.generation()) {
            return withIndex(next);
        }
        return withSpares(
                definition.options().spares().stream()
                        .map(spare -> isSame(spare.index(), next) ? spare.withIndex(next) : spare)
                        .toList());
    }

    /** Returns the table with one more spare generation. */
    TableEntry plusSpare(SpareGeneration spare) {
        Map<IndexName, Integer> known = new TreeMap<>(generations);
        known.merge(spare.index().name(), spare.index().generation(), Math::max);
        List<SpareGeneration> spares = new ArrayList<>(definition.options().spares());
        spares.add(spare);
        return new TableEntry(definition, known).withSpares(spares);
    }

    /** Returns the table with a spare generation about to be removed. */
    TableEntry discarding(SpareGeneration spare) {
        return withSpares(
                definition.options().spares().stream()
                        .map(
                                other ->
                                        other.equals(spare)
                                                ? SpareGeneration.discarded(spare.index())
                                                : other)
                        .toList());
    }

    /** Returns the table with all spare generations of an index about to be removed. */
    TableEntry discardingSparesOf(IndexName name) {
        TableEntry next = this;
        for (SpareGeneration spare : definition.options().spares()) {
            if (spare.index().name().equals(name) && spare.purpose() != Purpose.DISCARDED) {
                next = next.discarding(spare);
            }
        }
        return next;
    }

    /**
     * Returns the table in which {@code spare} serves from now on. The generation that served is
     * kept to go back to, or removed; one that was kept so far is removed.
     */
    TableEntry servedBy(SpareGeneration spare, boolean keepsServing) {
        IndexName name = spare.index().name();
        GlobalIndex served = definition.globalIndex(name).orElseThrow();
        GlobalIndex serving =
                spare.index()
                        .withStatus(IndexStatus.ACTIVE)
                        .withThroughput(served.throughput())
                        .withCapacity(served.capacity());
        TableEntry without =
                withoutSpare(spare.index()).discardingSparesOf(name).withIndex(serving);
        return without.plusSpare(
                keepsServing
                        ? SpareGeneration.previous(served)
                        : SpareGeneration.discarded(served));
    }

    /** Returns how many indexes and next generations of indexes are just made or removed. */
    int onlineOperations() {
        long indexes =
                definition.globalIndexes().stream()
                        .filter(index -> index.status() != IndexStatus.ACTIVE)
                        .count();
        long next =
                definition.options().spares().stream().filter(SpareGeneration::isBuilding).count();
        return Math.toIntExact(indexes + next);
    }

    private TableEntry withoutSpare(GlobalIndex index) {
        return withSpares(
                definition.options().spares().stream()
                        .filter(spare -> !isSame(spare.index(), index))
                        .toList());
    }

    private TableEntry withSpares(List<SpareGeneration> spares) {
        return with(definition.withOptions(definition.options().withSpares(spares)));
    }

    private static boolean isSame(GlobalIndex left, GlobalIndex right) {
        return left.name().equals(right.name()) && left.generation() == right.generation();
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
