package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.table.TableDefinition;

/** What a command came to; every replica comes to the same. */
public sealed interface Outcome {

    /**
     * The command holds.
     *
     * @param definition the table after it; of a forgotten table the last one
     */
    record Accepted(TableDefinition definition) implements Outcome {}

    /** The command changed nothing; the caller is told why. */
    record Refused(ApiError error, String message) implements Outcome {}
}
