/**
 * The real Kafka broker and its KRaft controller, run inside this JVM with its data in a folder.
 *
 * <p>Topics, clients and anything that knows what the records mean do not belong here.
 */
@NullMarked
package dev.tidemark.kafka.embedded;

import org.jspecify.annotations.NullMarked;
