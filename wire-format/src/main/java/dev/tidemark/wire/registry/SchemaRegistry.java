package dev.tidemark.wire.registry;

import java.util.Optional;
import org.apache.avro.Schema;

/** Gives schemas ids, for ever, and finds schemas by them. Thread-safe; every method may block. */
public interface SchemaRegistry {

    /**
     * Returns the id of {@code schema}, which is registered under {@code subject} if it is not yet.
     *
     * @throws RegistryException if the registry does not answer or does not take the schema
     */
    int idOf(String subject, Schema schema);

    /**
     * Returns the schema with this id, or empty if there is none.
     *
     * @throws RegistryException if the registry does not answer
     */
    Optional<Schema> schemaById(int id);
}
