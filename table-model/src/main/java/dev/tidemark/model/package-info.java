/**
 * Values, items, keys, schemas, projections, changes and index entries: the vocabulary every room
 * shares, on the JDK alone.
 *
 * <p>Nothing that knows Kafka, Avro, JSON, HTTP or a store belongs here.
 */
@NullMarked
package dev.tidemark.model;

import org.jspecify.annotations.NullMarked;
