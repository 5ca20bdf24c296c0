/**
 * Appends to the log: writes from requests, Kafka topics, files and MQTT become commands in a
 * table's write topic.
 *
 * <p>Nothing here decides a write's outcome or reads a store.
 */
@NullMarked
package dev.tidemark.ingest;

import org.jspecify.annotations.NullMarked;
