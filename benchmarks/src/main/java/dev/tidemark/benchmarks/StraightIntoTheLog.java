package dev.tidemark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes readings straight into a table's log, as any program with an ordinary Kafka producer and
 * Avro can, and measures until the table and all its indexes have them.
 *
 * <p>Arguments: the server's endpoint, its Kafka's bootstrap servers, the table, how many readings,
 * and the number of the first. Prints one line of JSON. The records are made before the clock
 * starts, with the schema that the server's registry hands out; nothing of the product makes them.
 */
public final class StraightIntoTheLog {

    private static final String SUBJECT = "dev.tidemark.wire.Write";
    private static final int FRAME = 5;
    private static final long LIMIT_NANOS = Duration.ofMinutes(3).toNanos();
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final String endpoint;
    private final String table;

    private StraightIntoTheLog(String endpoint, String table) {
        this.endpoint = endpoint;
        this.table = table;
    }

    /** Runs once. */
    public static void main(String[] arguments)
            throws IOException, InterruptedException, ExecutionException {
        if (arguments.length != 5) {
            throw new IllegalArgumentException(
                    "Invalid arguments: give endpoint, bootstrap servers, table, count, first");
        }
        new StraightIntoTheLog(arguments[0], arguments[2])
                .run(arguments[1], Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]));
    }

    private void run(String bootstrapServers, int count, long first)
            throws IOException, InterruptedException, ExecutionException {
        Map<String, Object> connection = Map.of("bootstrap.servers", bootstrapServers);
        try (Admin admin = Admin.create(connection)) {
            String topic = onlyTopic(admin);
            List<ProducerRecord<byte[], byte[]>> records = records(topic, count, first);
            long start = System.nanoTime();
            send(bootstrapServers, records);
            long sent = System.nanoTime();
            awaitApplied(admin, topic, start + LIMIT_NANOS);
            long applied = System.nanoTime();
            awaitIndexed(start + LIMIT_NANOS);
            long indexed = System.nanoTime();
            report(count, sent - start, applied - start, indexed - start);
        }
    }

    private String onlyTopic(Admin admin) throws InterruptedException, ExecutionException {
        List<String> found =
                admin.listTopics().names().get().stream()
                        .filter(name -> name.startsWith("td." + table + "."))
                        .filter(name -> name.endsWith(".writes"))
                        .toList();
        if (found.size() != 1) {
            throw new IllegalStateException("Not exactly one log of the table: " + found);
        }
        return found.get(0);
    }

    private List<ProducerRecord<byte[], byte[]>> records(String topic, int count, long first)
            throws IOException, InterruptedException {
        JsonNode latest = get("/subjects/" + SUBJECT + "/versions/latest");
        int id = latest.get("id").asInt();
        Schema write = new Schema.Parser().parse(latest.get("schema").asText());
        Schema put = write.getField("operation").schema().getTypes().get(0);
        Schema value = put.getField("item").schema().getValueType();
        GenericDatumWriter<GenericRecord> writer = new GenericDatumWriter<>(write);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(count);
        for (long number = first; number < first + count; number++) {
            Item reading = SensorReadings.reading(number);
            GenericRecord operation = new GenericData.Record(put);
            operation.put("item", avro(reading, value));
            operation.put("names", Map.of());
            operation.put("values", Map.of());
            GenericRecord record = new GenericData.Record(write);
            record.put("operation", operation);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
            bytes.write(ByteBuffer.allocate(FRAME).put((byte) 0).putInt(id).array());
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
            writer.write(record, encoder);
            encoder.flush();
            byte[] key = text(reading, SensorReadings.SENSOR_ID).getBytes(StandardCharsets.UTF_8);
            records.add(new ProducerRecord<>(topic, key, bytes.toByteArray()));
        }
        return records;
    }

    private static Map<String, GenericRecord> avro(Item reading, Schema valueSchema) {
        Schema number = valueSchema.getField("value").schema().getTypes().get(4);
        Map<String, GenericRecord> attributes = new HashMap<>();
        reading.attributes()
                .forEach(
                        (name, value) -> {
                            GenericRecord attribute = new GenericData.Record(valueSchema);
                            if (value instanceof AttributeValue.N decimal) {
                                GenericRecord digits = new GenericData.Record(number);
                                digits.put(0, decimal.value().text());
                                attribute.put("value", digits);
                            } else {
                                attribute.put("value", text(reading, name));
                            }
                            attributes.put(name, attribute);
                        });
        return attributes;
    }

    private static String text(Item reading, String attribute) {
        if (reading.get(attribute) instanceof AttributeValue.S string) {
            return string.value();
        }
        throw new IllegalStateException("A reading holds strings and numbers only");
    }

    private static void send(
            String bootstrapServers, List<ProducerRecord<byte[], byte[]>> records) {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "acks",
                        "all",
                        "linger.ms",
                        5,
                        "batch.size",
                        65_536);
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                Future<RecordMetadata> unused =
                        producer.send(
                                record,
                                (metadata, problem) -> {
                                    if (problem != null) {
                                        failure.set(
                                                new IllegalStateException("Not written", problem));
                                    }
                                });
            }
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** Waits until the table's group has read its log to the end. */
    private static void awaitApplied(Admin admin, String topic, long deadline)
            throws InterruptedException, ExecutionException {
        String group = topic.replaceFirst("\\.writes$", ".base");
        int partitions =
                Objects.requireNonNull(
                                admin.describeTopics(List.of(topic))
                                        .allTopicNames()
                                        .get()
                                        .get(topic))
                        .partitions()
                        .size();
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        Map<TopicPartition, ListOffsetsResultInfo> targets = admin.listOffsets(ends).all().get();
        while (true) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
            boolean done =
                    targets.entrySet().stream()
                            .allMatch(
                                    target ->
                                            target.getValue().offset() == 0
                                                    || offset(committed.get(target.getKey()))
                                                            >= target.getValue().offset());
            if (done) {
                return;
            }
            pause(deadline);
        }
    }

    private static long offset(@Nullable OffsetAndMetadata committed) {
        return committed == null ? 0 : committed.offset();
    }

    /** Waits until no index trails the table. */
    private void awaitIndexed(long deadline) throws IOException, InterruptedException {
        while (changesBehind() > 0) {
            pause(deadline);
        }
    }

    private long changesBehind() throws IOException, InterruptedException {
        long changes = 0;
        boolean found = false;
        for (JsonNode entry : get("/lag").get("tables")) {
            if (entry.get("table").asText().equals(table)) {
                found = true;
                for (JsonNode index : entry.get("indexes")) {
                    changes += index.get("changes").asLong();
                }
            }
        }
        if (!found) {
            throw new IllegalStateException("The server tells no lag of the table");
        }
        return changes;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                http.send(
                        HttpRequest.newBuilder(URI.create(endpoint + path)).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("HTTP " + response.statusCode() + " for " + path);
        }
        return json.readTree(response.body());
    }

    private static void pause(long deadline) throws InterruptedException {
        if (System.nanoTime() > deadline) {
            throw new IllegalStateException("The table did not catch up in time");
        }
        Thread.sleep(PAUSE.toMillis());
    }

    private static void report(int count, long sent, long applied, long indexed) {
        out().printf(
                        Locale.ROOT,
                        "{\"items\":%d,\"sent_s\":%.3f,\"applied_s\":%.3f,\"seconds\":%.3f,"
                                + "\"items_per_s\":%.1f}%n",
                        count,
                        seconds(sent),
                        seconds(applied),
                        seconds(indexed),
                        count / seconds(indexed));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    @SuppressWarnings("console") // the line is this program's output
    private static PrintStream out() {
        return new PrintStream(System.out, true, StandardCharsets.UTF_8);
    }
}
