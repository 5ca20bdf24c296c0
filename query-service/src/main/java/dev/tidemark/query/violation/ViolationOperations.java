package dev.tidemark.query.violation;

import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.routing.Cluster;
import java.util.Map;

/** The operations that list violations of indexes. */
public final class ViolationOperations {

    private ViolationOperations() {}

    /** Returns them by name. */
    public static Map<String, Operation> of(Services services, Cluster cluster) {
        return Map.of(
                ListViolationsOperation.NAME,
                new ListViolationsOperation(
                        services, new TableFacts.Finder(services.tables()), cluster));
    }

    /** Returns the operations that only other nodes may ask for, by name. */
    public static Map<String, Operation> internal(Services services) {
        return Map.of(
                PartitionViolationsOperation.NAME, new PartitionViolationsOperation(services));
    }
}
