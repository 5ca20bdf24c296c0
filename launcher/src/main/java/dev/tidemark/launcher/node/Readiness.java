package dev.tidemark.launcher.node;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.routing.Cluster;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whether requests would be answered: every partition of every table in use is open on some node,
 * and, if this node maintains indexes, every partition of every index. An index that is broken, or
 * that other nodes should maintain which are not there, is no reason to answer nothing else.
 */
final class Readiness {

    private final Catalog catalog;
    private final Cluster cluster;
    private final Predicate<IndexId> awaited;

    /**
     * Makes it.
     *
     * @param awaited tells whether there is use in waiting for an index
     */
    Readiness(Catalog catalog, Cluster cluster, Predicate<IndexId> awaited) {
        this.catalog = catalog;
        this.cluster = cluster;
        this.awaited = awaited;
    }

    /** Returns what is not open yet, if something is not. */
    Optional<String> missing() {
        for (TableDefinition table : catalog.state().tables()) {
            if (table.status() == TableStatus.CREATING || table.status() == TableStatus.DELETING) {
                continue;
            }
            if (!cluster.isOpen(table)) {
                return Optional.of("table " + table.name());
            }
            Optional<String> index =
                    table.globalIndexes().stream()
                            .filter(
                                    global ->
                                            global.status() == IndexStatus.ACTIVE
                                                    && awaited.test(IndexId.of(table, global))
                                                    && !cluster.isOpen(table, global))
                            .map(global -> "index " + global.name() + " of table " + table.name())
                            .findFirst();
            if (index.isPresent()) {
                return index;
            }
        }
        return Optional.empty();
    }
}
