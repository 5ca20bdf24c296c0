package dev.tidemark.wire.registry;

import org.apache.avro.Schema;

/**
 * A schema under a subject.
 *
 * @param subject what it is registered as
 * @param version its place among the subject's schemas, from 1
 * @param id its id in the registry, the same under every subject
 * @param schema the schema
 */
public record RegisteredSchema(String subject, int version, int id, Schema schema) {}
