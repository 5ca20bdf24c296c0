package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All tables after some number of commands. Immutable.
 *
 * <p>A pure function of the commands applied so far: no clock, no randomness, no order but the
 * log's, so that all replicas agree. An index name's generations grow through the whole life of its
 * table, and a table id is never used twice.
 */
public final class CatalogState {

    /** The state before the first command. */
    public static final CatalogState EMPTY = new CatalogState(0, new TreeMap<>(), Set.of());

    private final long version;
    private final NavigableMap<TableName, TableEntry> tables;
    private final Map<TableId, TableName> names;
    private final Set<TableId> formerTables;

    private CatalogState(
            long version, NavigableMap<TableName, TableEntry> tables, Set<TableId> formerTables) {
        this.version = version;
        this.tables = tables;
        this.formerTables = formerTables;
        this.names = new HashMap<>();
        tables.forEach((name, entry) -> names.put(entry.definition().id(), name));
    }

    /** Returns the state after {@code command}, and what the command came to. */
    public Transition apply(CatalogCommand command) {
        try {
            return command.applyTo(this);
        } catch (ApiException refusal) {
            return new Transition(this, new Outcome.Refused(refusal.error(), refusal.text()));
        }
    }

    /** Returns how many commands have changed something; the same on every replica. */
    public long version() {
        return version;
    }

    /** Returns all tables, by name; those being made or removed too. */
    public Collection<TableDefinition> tables() {
        return tables.values().stream().map(TableEntry::definition).toList();
    }

    /** Returns the names of all tables that come after {@code name}, in order. */
    public Collection<TableName> namesAfter(TableName name) {
        return Collections.unmodifiableSet(tables.tailMap(name, false).keySet());
    }

    /** Returns the names of all tables, in order. */
    public Collection<TableName> names() {
        return Collections.unmodifiableSet(tables.keySet());
    }

    public Optional<TableDefinition> table(TableName name) {
        return Optional.ofNullable(tables.get(name)).map(TableEntry::definition);
    }

    public Optional<TableDefinition> table(TableId id) {
        return entry(id).map(TableEntry::definition);
    }

    /** Returns the index if this generation of it exists, whatever its status. */
    public Optional<GlobalIndex> index(IndexId id) {
        return entry(id.table()).flatMap(entry -> entry.index(id.index(), id.generation()));
    }

    Optional<TableEntry> entry(TableId id) {
        return Optional.ofNullable(names.get(id)).map(tables::get);
    }

    /** Returns the table a command is about, or refuses. */
    TableEntry require(TableId id) {
        return entry(id)
                .orElseThrow(
                        () ->
                                new ApiException(
                                        ApiError.RESOURCE_NOT_FOUND,
                                        "Requested resource not found"));
    }

    /** Returns the transition to a state with this version of a table. */
    Transition accept(TableEntry entry) {
        TreeMap<TableName, TableEntry> next = new TreeMap<>(tables);
        next.put(entry.definition().name(), entry);
        return new Transition(
                new CatalogState(version + 1, next, formerTables),
                new Outcome.Accepted(entry.definition()));
    }

    /** Returns the transition that changes nothing, for a command that was carried out before. */
    Transition acceptUnchanged(TableEntry entry) {
        return new Transition(this, new Outcome.Accepted(entry.definition()));
    }

    Transition create(TableDefinition definition) {
        if (tables.containsKey(definition.name())) {
            throw new ApiException(
                    ApiError.RESOURCE_IN_USE, "Table already exists: " + definition.name());
        }
        if (names.containsKey(definition.id()) || formerTables.contains(definition.id())) {
            throw new ApiException(ApiError.INTERNAL, "The table's id is taken; try again");
        }
        return accept(TableEntry.created(definition));
    }

    Transition forget(TableEntry entry) {
        TreeMap<TableName, TableEntry> next = new TreeMap<>(tables);
        next.remove(entry.definition().name());
        Set<TableId> former = new HashSet<>(formerTables);
        former.add(entry.definition().id());
        return new Transition(
                new CatalogState(version + 1, next, Collections.unmodifiableSet(former)),
                new Outcome.Accepted(entry.definition()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CatalogState state
                && version == state.version
                && tables.equals(state.tables)
                && formerTables.equals(state.formerTables);
    }

    @Override
    public int hashCode() {
        return 31 * tables.hashCode() + formerTables.hashCode() + Long.hashCode(version);
    }

    @Override
    public String toString() {
        return "CatalogState" + tables.values();
    }
}
