package dev.tidemark.launcher.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A writer that knows nothing of the product but its documents: Kafka's producer with its default
 * partitioner, Avro, and the schema registry's API.
 */
final class OutsideProducer implements AutoCloseable {

    static final String SUBJECT = "dev.tidemark.wire.Write";
    private static final int HEADER = 5;

    private final Wire wire;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Schema write;
    private final int id;
    private final Map<Integer, Schema> schemas = new HashMap<>();

    OutsideProducer(Wire wire, String bootstrapServers, Map<String, Object> more) {
        this.wire = wire;
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", bootstrapServers);
        this.producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        JsonNode latest = Wire.read(wire.get("/subjects/" + SUBJECT + "/versions/latest").body());
        this.write = new Schema.Parser().parse(latest.path("schema").asText());
        this.id = latest.path("id").asInt();
    }

    KafkaProducer<byte[], byte[]> producer() {
        return producer;
    }

    /** Sends a PutItem of texts (S) and numbers (N) keyed by a partition key of type S. */
    CompletableFuture<RecordMetadata> put(String topic, String key, Map<String, Object> item) {
        return send(topic, null, key.getBytes(StandardCharsets.UTF_8), frame(id, putItem(item)));
    }

    CompletableFuture<RecordMetadata> send(
            String topic, Integer partition, byte[] key, byte[] value) {
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        Future<RecordMetadata> unused =
                producer.send(
                        new ProducerRecord<>(topic, partition, key, value),
                        (metadata, failure) -> {
                            if (failure == null) {
                                sent.complete(metadata);
                            } else {
                                sent.completeExceptionally(failure);
                            }
                        });
        return sent;
    }

    byte[] framedPut(Map<String, Object> item) {
        return frame(id, putItem(item));
    }

    /** Returns a record behind its magic byte and the id of its schema. */
    static byte[] frame(int id, GenericRecord record) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(ByteBuffer.allocate(HEADER).put((byte) 0).putInt(id).array());
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a framed record with the schema that the registry has under its id. */
    GenericRecord read(byte[] framed) {
        int schemaId = ByteBuffer.wrap(framed, 1, Integer.BYTES).getInt();
        Schema schema =
                schemas.computeIfAbsent(
                        schemaId,
                        unknown ->
                                new Schema.Parser()
                                        .parse(
                                                Wire.read(
                                                                wire.get("/schemas/ids/" + unknown)
                                                                        .body())
                                                        .path("schema")
                                                        .asText()));
        try {
            return new GenericDatumReader<GenericRecord>(schema)
                    .read(
                            null,
                            DecoderFactory.get()
                                    .binaryDecoder(framed, HEADER, framed.length - HEADER, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private GenericRecord putItem(Map<String, Object> item) {
        Schema put = write.getField("operation").schema().getTypes().get(0);
        Schema attribute = put.getField("item").schema().getValueType();
        Schema number =
                attribute.getField("value").schema().getTypes().stream()
                        .filter(type -> type.getName().equals("Number"))
                        .findFirst()
                        .orElseThrow();
        Map<String, GenericRecord> values = new HashMap<>();
        item.forEach(
                (name, value) -> {
                    GenericRecord made = new GenericData.Record(attribute);
                    if (value instanceof Number) {
                        GenericRecord text = new GenericData.Record(number);
                        text.put("text", value.toString());
                        made.put("value", text);
                    } else {
                        made.put("value", value);
                    }
                    values.put(name, made);
                });
        GenericRecord operation = new GenericData.Record(put);
        operation.put("item", values);
        operation.put("names", Map.of());
        operation.put("values", Map.of());
        GenericRecord command = new GenericData.Record(write);
        command.put("operation", operation);
        return command;
    }

    @Override
    public void close() {
        producer.close();
    }
}
