/**
 * The vocabulary every room shares: items, keys, tables, writes, changes, index entries and
 * progress. Nothing here knows Kafka, Avro, JSON or HTTP.
 */
@NullMarked
package dev.tidemark.model;

import org.jspecify.annotations.NullMarked;
