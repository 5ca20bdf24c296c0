package dev.tidemark.query;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import java.util.Optional;

/** Finds tables by name, as of now on this node. Thread-safe; never blocks. */
@FunctionalInterface
public interface TableLookup {

    /** Returns the table with this name, whatever its status, or empty if there is none. */
    Optional<TableDefinition> find(TableName name);
}
