package dev.tidemark.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** How a body written with one schema is read as another. */
@FunctionalInterface
interface BodyResolution {

    /** Both schemas give the same bytes. */
    BodyResolution SAME = framed -> new AvroReader(framed, FramedCodec.HEAD, framed.length);

    /**
     * Returns a reader of the framed record's body in the reader's schema.
     *
     * @throws WireFormatException if that can't be
     */
    AvroReader resolve(byte[] framed);

    /** Returns how to read what was written with {@code writer} as {@code reader}. */
    static BodyResolution between(Schema writer, Schema reader) {
        SchemaCompatibility.SchemaPairCompatibility compatibility =
                SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (compatibility.getType() != SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE) {
            String reason =
                    "Incompatible schema: " + compatibility.getResult().getIncompatibilities();
            return framed -> {
                throw new WireFormatException(reason);
            };
        }
        return framed -> translate(framed, writer, reader);
    }

    private static AvroReader translate(byte[] framed, Schema writer, Schema reader) {
        // Avro's own reader trusts lengths and nesting, so they are checked before it starts
        AvroReader check = new AvroReader(framed, FramedCodec.HEAD, framed.length);
        AvroShape.check(writer, check);
        check.expectEnd();
        try {
            GenericData data = new GenericData();
            GenericDatumReader<Object> in = new GenericDatumReader<>(writer, reader, data);
            Object value =
                    in.read(
                            null,
                            DecoderFactory.get()
                                    .binaryDecoder(
                                            framed,
                                            FramedCodec.HEAD,
                                            framed.length - FramedCodec.HEAD,
                                            null));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(framed.length);
            BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<Object>(reader, data).write(value, out);
            out.flush();
            byte[] body = bytes.toByteArray();
            return new AvroReader(body, 0, body.length);
        } catch (IOException | AvroRuntimeException e) {
            throw new WireFormatException("Invalid Avro: not of its writer's schema");
        }
    }
}
