package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;

/** What changes of the global indexes of a table must find, and may not exceed. */
final class IndexRules {

    private IndexRules() {}

    static int included(Projection projection) {
        return projection instanceof Projection.Include include ? include.names().size() : 0;
    }

    static GlobalIndex requireIndex(TableDefinition table, IndexName name) {
        return table.globalIndex(name)
                .orElseThrow(
                        () ->
                                new ApiException(
                                        ApiError.RESOURCE_NOT_FOUND,
                                        "Requested resource not found: Index "
                                                + name
                                                + " for table "
                                                + table.name()));
    }

    static void requireProjectable(int attributes) {
        if (attributes > TableChange.MAX_PROJECTED_ATTRIBUTES) {
            throw ApiException.validation(
                    "One or more parameter values were invalid: The total number of"
                            + " NonKeyAttributes of all indexes exceeds the per-table limit of "
                            + TableChange.MAX_PROJECTED_ATTRIBUTES);
        }
    }

    /** Refuses to make or remove one more index if as many as may be are made or removed. */
    static void requireRoom(TableEntry entry, int atOnce) {
        if (entry.onlineOperations() >= atOnce) {
            throw TableChange.tooManyAtOnce(atOnce);
        }
    }
}
