package dev.tidemark.query.table;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.catalog.CatalogState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Finds tables by name, those that another node has made just now too. */
record TableFinder(Catalog catalog) {

    /** Finds a table or refuses, once it is sure that there is none. */
    CompletionStage<TableDefinition> find(TableName name, Supplier<ApiException> notFound) {
        Optional<TableDefinition> known = catalog.state().table(name);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return catalog.upToDate()
                .thenApply((CatalogState state) -> state.table(name).orElseThrow(notFound));
    }
}
