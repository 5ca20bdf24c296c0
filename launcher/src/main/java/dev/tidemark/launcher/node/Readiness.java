package dev.tidemark.launcher.node;

import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.routing.Cluster;
import java.util.Optional;

/**
 * Whether requests would be answered: every partition of every table and index in use is open on
 * some node.
 */
final class Readiness {

    private final Catalog catalog;
    private final Cluster cluster;

    Readiness(Catalog catalog, Cluster cluster) {
        this.catalog = catalog;
        this.cluster = cluster;
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
