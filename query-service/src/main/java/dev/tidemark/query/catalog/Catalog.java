package dev.tidemark.query.catalog;

import dev.tidemark.model.table.TableDefinition;
import java.util.concurrent.CompletionStage;

/** The tables that exist, as far as this node has learned. Thread-safe. */
public interface Catalog {

    /** Returns what this node knows now; it may trail what another node has already answered. */
    CatalogState state();

    /**
     * Returns the state that holds every command acknowledged anywhere before this call.
     *
     * <p>The stage fails with a retryable {@link dev.tidemark.model.error.ApiException} if the log
     * can't be asked in time. It completes on a thread that must not be blocked.
     */
    CompletionStage<CatalogState> upToDate();

    /**
     * Puts {@code command} into the log and waits until this node has applied it.
     *
     * <p>The stage completes with the table after the command, or fails with an {@link
     * dev.tidemark.model.error.ApiException}: the refusal, or a retryable error if the command
     * could not be appended or its outcome does not come in time; in the latter case it may have
     * been applied. It completes on a thread that must not be blocked, after the listeners were
     * told.
     */
    CompletionStage<TableDefinition> propose(CatalogCommand command);

    /**
     * Adds a listener, which is told at once of the change from {@link CatalogState#EMPTY} to the
     * state of now, and then of every later change.
     */
    void addListener(CatalogListener listener);
}
