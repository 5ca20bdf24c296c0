package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A catalog without a log: commands are applied where they are proposed. */
public final class InMemoryCatalog implements Catalog {

    private final List<CatalogListener> listeners = new ArrayList<>();
    private CatalogState state = CatalogState.EMPTY;

    @Override
    public synchronized CatalogState state() {
        return state;
    }

    @Override
    public synchronized CompletionStage<CatalogState> upToDate() {
        return CompletableFuture.completedFuture(state);
    }

    @Override
    public synchronized CompletionStage<TableDefinition> propose(CatalogCommand command) {
        CatalogState before = state;
        Transition transition = before.apply(command);
        state = transition.state();
        listeners.forEach(listener -> listener.changed(before, transition.state()));
        if (transition.outcome() instanceof Outcome.Refused refused) {
            return CompletableFuture.failedFuture(
                    new ApiException(refused.error(), refused.message()));
        }
        return CompletableFuture.completedFuture(
                ((Outcome.Accepted) transition.outcome()).definition());
    }

    @Override
    public synchronized void addListener(CatalogListener listener) {
        listener.changed(CatalogState.EMPTY, state);
        listeners.add(listener);
    }
}
