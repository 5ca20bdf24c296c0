/**
 * The bytes on topics: Avro schemas, the codecs between them and the model, framing, and the
 * schema-registry client.
 *
 * <p>Generated types never leave here, and no topic is read or written here.
 */
@NullMarked
package dev.tidemark.wire;

import org.jspecify.annotations.NullMarked;
