package dev.tidemark.wire.registry;

import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** What a registry holds, to be looked at. Thread-safe; never blocks. */
public interface RegistryView {

    /** Returns all subjects, in the order of their names. */
    List<String> subjects();

    /** Returns the versions of a subject, oldest first; none if there is no such subject. */
    List<RegisteredSchema> versions(String subject);

    /** Returns the schema with this id, or empty if there is none. */
    Optional<Schema> byId(int id);

    /** Returns where the schema with this id is registered, subjects by name. */
    List<RegisteredSchema> uses(int id);

    /** Returns the newest version of a subject, or empty if there is no such subject. */
    default Optional<RegisteredSchema> latest(String subject) {
        List<RegisteredSchema> versions = versions(subject);
        return versions.isEmpty()
                ? Optional.empty()
                : Optional.of(versions.get(versions.size() - 1));
    }
}
