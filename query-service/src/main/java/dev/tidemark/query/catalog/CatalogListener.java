package dev.tidemark.query.catalog;

/** Is told of every change of the catalog, in order. */
public interface CatalogListener {

    /**
     * The catalog has changed.
     *
     * <p>Called on the thread that applies commands, before the proposer is answered, so it must
     * not block or throw. The state {@code before} of one call is the state {@code after} of the
     * call before it.
     */
    void changed(CatalogState before, CatalogState after);
}
