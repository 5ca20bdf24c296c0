package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of the catalog as its proposer wants it. Holds all that its outcome depends on, times
 * and random ids too.
 *
 * <p>Those that say how far a change has come ({@link MarkTableActive}, {@link ForgetTable}, {@link
 * SetIndexTarget}, {@link MarkIndexActive}, {@link ForgetIndex}, {@link StartDeletingTable}) are
 * accepted again and change nothing when they come twice.
 */
public sealed interface CatalogCommand {

    /** The most tags a table may have. Source: the DynamoDB API reference. */
    int MAX_TAGS = 50;

    /** Returns the table it is about. */
    TableId table();

    /**
     * Applies the command; called by {@link CatalogState#apply} alone.
     *
     * @throws ApiException if the command is refused
     */
    Transition applyTo(CatalogState state);

    /** Makes a table; refused while another has its name. */
    record CreateTable(TableDefinition definition) implements CatalogCommand {

        @Override
        public TableId table() {
            return definition.id();
        }

        @Override
        public Transition applyTo(CatalogState state) {
            TableDefinition made =
                    definition.billingMode() == BillingMode.PAY_PER_REQUEST
                            ? definition.withOptions(
                                    definition.options().withOnDemandSince(definition.createdAt()))
                            : definition;
            return state.create(
                    made.withStatus(TableStatus.CREATING)
                            .withGlobalIndexes(
                                    definition.globalIndexes().stream()
                                            .map(index -> index.withStatus(IndexStatus.CREATING))
                                            .toList()));
        }
    }

    /** Says that a new table answers; its global indexes become active with it. */
    record MarkTableActive(TableId table) implements CatalogCommand {

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            TableDefinition definition = entry.definition();
            if (definition.status() == TableStatus.DELETING) {
                throw TableEntry.inUse("Table is being deleted: " + definition.name());
            }
            if (definition.status() != TableStatus.CREATING) {
                return state.acceptUnchanged(entry);
            }
            return state.accept(
                    entry.with(
                            definition
                                    .withStatus(TableStatus.ACTIVE)
                                    .withGlobalIndexes(
                                            definition.globalIndexes().stream()
                                                    .map(
                                                            index ->
                                                                    index.withStatus(
                                                                            IndexStatus.ACTIVE))
                                                    .toList())));
        }
    }

    /**
     * Begins to remove a table and its indexes; refused while it is made or updated, or protected.
     */
    record StartDeletingTable(TableId table) implements CatalogCommand {

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            TableDefinition definition = entry.definition();
            if (definition.status() == TableStatus.DELETING) {
                return state.acceptUnchanged(entry);
            }
            entry.requireExisting();
            if (definition.deletionProtection()) {
                throw ApiException.validation(
                        "Resource cannot be deleted as it is currently protected against"
                                + " deletion. Disable deletion protection first.");
            }
            if (definition.status() == TableStatus.UPDATING) {
                throw TableEntry.inUse("Table is being updated: " + definition.name());
            }
            return state.accept(
                    entry.with(
                            definition
                                    .withStatus(TableStatus.DELETING)
                                    .withGlobalIndexes(
                                            definition.globalIndexes().stream()
                                                    .map(
                                                            index ->
                                                                    index.withStatus(
                                                                            IndexStatus.DELETING))
                                                    .toList())
                                    .withOptions(
                                            definition
                                                    .options()
                                                    .withSpares(
                                                            definition.options().spares().stream()
                                                                    .map(SpareGeneration::index)
                                                                    .map(SpareGeneration::discarded)
                                                                    .toList()))));
        }
    }

    /** Says that nothing of a table is left; its name is free from then on. */
    record ForgetTable(TableId table) implements CatalogCommand {

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            if (entry.definition().status() != TableStatus.DELETING) {
                throw TableEntry.inUse("Table is not being deleted: " + entry.definition().name());
            }
            return state.forget(entry);
        }
    }

    /**
     * Changes what the owner of a table may change, all of it or nothing.
     *
     * @param changes applied in order
     */
    record UpdateTable(TableId table, List<TableChange> changes) implements CatalogCommand {

        public UpdateTable {
            changes = List.copyOf(changes);
        }

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            for (TableChange change : changes) {
                entry = change.applyTo(entry);
            }
            requireIndexThroughput(entry.definition());
            return state.accept(entry);
        }
    }

    private static void requireIndexThroughput(TableDefinition table) {
        if (table.billingMode() == BillingMode.PAY_PER_REQUEST) {
            return;
        }
        List<String> without =
                table.globalIndexes().stream()
                        .filter(index -> index.throughput().equals(Throughput.NONE))
                        .map(index -> index.name().value())
                        .toList();
        if (!without.isEmpty()) {
            throw ApiException.validation(
                    "One or more parameter values were invalid: ProvisionedThroughput must be"
                            + " specified for index: "
                            + String.join(",", without));
        }
    }

    /**
     * Says up to which change of each partition of the table an index that is being built must have
     * come before it may be read; the first to say so counts.
     */
    record SetIndexTarget(TableId table, IndexName index, int generation, List<Long> sequences)
            implements CatalogCommand {

        public SetIndexTarget {
            sequences = List.copyOf(sequences);
        }

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            GlobalIndex found =
                    entry.index(index, generation).orElseThrow(TableChange::unknownIndex);
            if (found.status() != IndexStatus.CREATING || !found.build().target().isEmpty()) {
                return state.acceptUnchanged(entry);
            }
            return state.accept(
                    entry.withGeneration(found.withBuild(found.build().withTarget(sequences))));
        }
    }

    /**
     * Says that a generation of an index has caught up with its table and may be read. A next
     * generation that is to take over serves from then on, unless it is held.
     *
     * @param at when it had caught up; older releases did not say
     * @param held whether a next generation waits to be told to serve, whatever was asked
     */
    record MarkIndexActive(
            TableId table, IndexName index, int generation, Optional<Instant> at, boolean held)
            implements CatalogCommand {

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            GlobalIndex found =
                    entry.index(index, generation).orElseThrow(TableChange::unknownIndex);
            if (found.status() == IndexStatus.DELETING) {
                throw TableEntry.inUse("Index is being deleted: " + index);
            }
            if (found.status() == IndexStatus.ACTIVE) {
                return state.acceptUnchanged(entry);
            }
            GlobalIndex built =
                    found.withStatus(IndexStatus.ACTIVE)
                            .withBuild(at.map(found.build()::finishedAt).orElse(found.build()));
            TableEntry next = entry.withGeneration(built);
            Optional<SpareGeneration> takesOver =
                    next.definition()
                            .spare(index, SpareGeneration.Purpose.NEXT)
                            .filter(
                                    spare ->
                                            spare.index().equals(built)
                                                    && spare.takesOver()
                                                    && !held);
            return state.accept(
                    takesOver
                            .map(spare -> next.servedBy(spare, spare.keepsPrevious()))
                            .orElse(next));
        }
    }

    /**
     * Says that nothing of a generation of an index is left; if it is not a spare one, the name is
     * free from then on.
     */
    record ForgetIndex(TableId table, IndexName index, int generation) implements CatalogCommand {

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            GlobalIndex found =
                    entry.index(index, generation).orElseThrow(TableChange::unknownIndex);
            if (found.status() != IndexStatus.DELETING) {
                throw TableEntry.inUse("Index is not being deleted: " + index);
            }
            return state.accept(entry.minusIndex(found));
        }
    }

    /** Adds tags or gives them new values. */
    record TagTable(TableId table, Map<String, String> tags) implements CatalogCommand {

        public TagTable {
            tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        }

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            Map<String, String> next = new TreeMap<>(entry.definition().tags());
            next.putAll(tags);
            if (next.size() > MAX_TAGS) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: Too many Tags: The number of"
                                + " Tags exceeds the limit of "
                                + MAX_TAGS);
            }
            return state.accept(entry.with(entry.definition().withTags(next)));
        }
    }

    /** Removes tags; unknown ones are ignored. */
    record UntagTable(TableId table, Set<String> keys) implements CatalogCommand {

        public UntagTable {
            keys = Collections.unmodifiableSet(new LinkedHashSet<>(new TreeSet<>(keys)));
        }

        @Override
        public Transition applyTo(CatalogState state) {
            TableEntry entry = state.require(table);
            entry.requireExisting();
            Map<String, String> next = new TreeMap<>(entry.definition().tags());
            next.keySet().removeAll(keys);
            return state.accept(entry.with(entry.definition().withTags(next)));
        }
    }
}
