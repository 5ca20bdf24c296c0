package dev.tidemark.query.page;

import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import java.util.Map;

/** The operations that read many items by a condition. */
public final class PageOperations {

    private PageOperations() {}

    /** Returns them by name. */
    public static Map<String, Operation> of(Services services, TableFacts.Finder tables) {
        return Map.of(
                "Query", new QueryOperation(services, tables),
                "Scan", new ScanOperation(services, tables));
    }

    /** Returns the operations that only other nodes may ask for, by name. */
    public static Map<String, Operation> internal(Services services, TableFacts.Finder tables) {
        return Map.of(ScanPartitionOperation.NAME, new ScanPartitionOperation(services, tables));
    }
}
