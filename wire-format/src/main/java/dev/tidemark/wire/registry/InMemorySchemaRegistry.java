package dev.tidemark.wire.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;

/**
 * A registry in this process alone: ids count from 1 in the order of registration, so equal
 * histories of registration give equal ids.
 */
public final class InMemorySchemaRegistry implements SchemaRegistry, RegistryView {

    private final Map<String, List<RegisteredSchema>> bySubject = new TreeMap<>();
    private final List<Schema> byId = new ArrayList<>();
    private final Map<Schema, Integer> ids = new HashMap<>();

    @Override
    public synchronized int idOf(String subject, Schema schema) {
        List<RegisteredSchema> versions =
                bySubject.computeIfAbsent(subject, name -> new ArrayList<>());
        for (RegisteredSchema version : versions) {
            if (version.schema().equals(schema)) {
                return version.id();
            }
        }
        int id =
                ids.computeIfAbsent(
                        schema,
                        unknown -> {
                            byId.add(unknown);
                            return byId.size();
                        });
        versions.add(new RegisteredSchema(subject, versions.size() + 1, id, schema));
        return id;
    }

    @Override
    public Optional<Schema> schemaById(int id) {
        return byId(id);
    }

    @Override
    public synchronized List<String> subjects() {
        return List.copyOf(bySubject.keySet());
    }

    @Override
    public synchronized List<RegisteredSchema> versions(String subject) {
        return List.copyOf(bySubject.getOrDefault(subject, List.of()));
    }

    @Override
    public synchronized Optional<Schema> byId(int id) {
        return id >= 1 && id <= byId.size() ? Optional.of(byId.get(id - 1)) : Optional.empty();
    }

    @Override
    public synchronized List<RegisteredSchema> uses(int id) {
        return bySubject.values().stream()
                .flatMap(List::stream)
                .filter(registered -> registered.id() == id)
                .toList();
    }
}
