package dev.tidemark.query.http;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The operations a front end offers, by the name in {@code X-Amz-Target}. Immutable. */
public final class OperationRegistry {

    private final Map<String, Operation> operations;

    /**
     * Makes a registry.
     *
     * @param operations by name without the API version: {@code GetItem}
     */
    public OperationRegistry(Map<String, Operation> operations) {
        this.operations = Map.copyOf(operations);
    }

    public Optional<Operation> find(String name) {
        return Optional.ofNullable(operations.get(name));
    }

    public Set<String> names() {
        return operations.keySet();
    }
}
