package dev.tidemark.query;

import dev.tidemark.query.http.Operation;
import dev.tidemark.query.item.ItemOperations;
import dev.tidemark.query.page.PageOperations;
import dev.tidemark.query.read.CurrentPositions;
import dev.tidemark.query.verify.VerificationOperations;
import dev.tidemark.query.violation.ViolationOperations;
import java.util.LinkedHashMap;
import java.util.Map;

/** All operations that read or write items. */
public final class DataOperations {

    private DataOperations() {}

    /** Returns what clients may ask for, by name. */
    public static Map<String, Operation> forClients(Services services) {
        TableFacts.Finder tables = new TableFacts.Finder(services.tables());
        Map<String, Operation> operations = new LinkedHashMap<>();
        operations.putAll(ItemOperations.of(services, tables));
        operations.putAll(PageOperations.of(services, tables));
        return operations;
    }

    /** Returns what other nodes may ask for, by name: all that clients may, and more. */
    public static Map<String, Operation> forNodes(Services services) {
        Map<String, Operation> operations = forClients(services);
        operations.putAll(
                PageOperations.internal(services, new TableFacts.Finder(services.tables())));
        operations.putAll(ViolationOperations.internal(services));
        operations.putAll(VerificationOperations.internal(services));
        operations.put(
                CurrentPositions.OPERATION,
                CurrentPositions.operation(services.tables(), services.readIndex()));
        return operations;
    }
}
