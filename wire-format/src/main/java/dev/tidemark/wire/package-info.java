/**
 * The bytes on topics: Avro schemas, the codecs between them and the model, framing, and items in
 * stored form and in JSON.
 *
 * <p>No topic is read or written here, but by the registry of schemas.
 */
@NullMarked
package dev.tidemark.wire;

import org.jspecify.annotations.NullMarked;
