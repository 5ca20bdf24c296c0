package dev.tidemark.wire;

import dev.tidemark.wire.registry.SchemaRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Records in Confluent's framing: a zero byte, the four big-endian bytes of the schema's id in the
 * registry, the Avro body.
 *
 * <p>Records written with another version of the schema are read by Avro's rules of resolution.
 * Thread-safe.
 *
 * @param <T> what a record says
 */
public abstract class FramedCodec<T> {

    static final int HEAD = 5;

    private final Schema schema;
    private final long fingerprint;
    private final SchemaRegistry registry;
    private final int id;

    /** How to read bodies of other schema ids; ours is not among them. */
    private final Map<Integer, BodyResolution> others = new ConcurrentHashMap<>();

    /**
     * Registers {@code schema} if need be, so this may block.
     *
     * @throws dev.tidemark.wire.registry.RegistryException if the registry does not take it
     */
    FramedCodec(Schema schema, SchemaRegistry registry) {
        this.schema = schema;
        this.fingerprint = SchemaNormalization.parsingFingerprint64(schema);
        this.registry = registry;
        this.id = registry.idOf(WireSchemas.subject(schema), schema);
    }

    /** Returns the schema's id in the registry. */
    public final int schemaId() {
        return id;
    }

    /** Returns the framed record. */
    public final byte[] encode(T value) {
        AvroWriter out = new AvroWriter(256);
        out.writeByte(0);
        out.writeFixed32(id);
        writeBody(value, out);
        return out.toByteArray();
    }

    /**
     * Returns what a framed record says. It may ask the registry, once for each schema id, and then
     * block.
     *
     * @throws WireFormatException if the bytes are no such record, or of a schema that can't be
     *     read as ours
     * @throws dev.tidemark.wire.registry.RegistryException if the registry does not answer: then
     *     the record may be good
     */
    public final T decode(byte[] framed) {
        AvroReader in = body(framed);
        T value = readBody(in);
        in.expectEnd();
        return value;
    }

    /** Returns this codec as Kafka's clients take it; null stays null. */
    public final Serde<T> serde() {
        Serializer<T> serializer = (topic, value) -> value == null ? null : encode(value);
        Deserializer<T> deserializer = (topic, bytes) -> bytes == null ? null : decode(bytes);
        return Serdes.serdeFrom(serializer, deserializer);
    }

    abstract void writeBody(T value, AvroWriter out);

    abstract T readBody(AvroReader in);

    /** Opens a record's body, translated to our schema if it was written with another. */
    final AvroReader body(byte[] framed) {
        if (framed.length < HEAD || framed[0] != 0) {
            throw new WireFormatException("Invalid framing: no schema id");
        }
        int writerId =
                (framed[1] & 0xFF) << 24
                        | (framed[2] & 0xFF) << 16
                        | (framed[3] & 0xFF) << 8
                        | (framed[4] & 0xFF);
        if (writerId == id) {
            return new AvroReader(framed, HEAD, framed.length);
        }
        return resolution(writerId).resolve(framed);
    }

    private BodyResolution resolution(int writerId) {
        BodyResolution known = others.get(writerId);
        if (known == null) {
            Schema writer =
                    registry.schemaById(writerId)
                            .orElseThrow(
                                    () ->
                                            new WireFormatException(
                                                    "Invalid framing: unknown schema id"));
            known =
                    SchemaNormalization.parsingFingerprint64(writer) == fingerprint
                            ? BodyResolution.SAME
                            : BodyResolution.between(writer, schema);
            others.put(writerId, known);
        }
        return known;
    }
}
