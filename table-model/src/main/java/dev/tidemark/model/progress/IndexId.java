package dev.tidemark.model.progress;

import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;

/** One generation of one global index of one table. */
public record IndexId(TableId table, IndexName index, int generation) {

    /** Returns the id of an index of a table. */
    public static IndexId of(TableDefinition table, GlobalIndex index) {
        return new IndexId(table.id(), index.name(), index.generation());
    }
}
