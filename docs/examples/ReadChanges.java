import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Prints the changes of all tables with nothing but Kafka's client and Avro, as any consumer that
 * knows Confluent's framing reads them. From the project's folder:
 *
 * <pre>java -cp launcher/target/tidemark.jar docs/examples/ReadChanges.java 127.0.0.1:9092 http://127.0.0.1:8000</pre>
 */
class ReadChanges {

    private static final Map<Integer, Schema> SCHEMAS = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers", arguments[0],
                        "group.id", "read-changes-" + System.currentTimeMillis(),
                        "auto.offset.reset", "earliest",
                        "isolation.level", "read_committed");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, bytes, bytes)) {
            consumer.subscribe(Pattern.compile("td\\..*\\.changes"));
            while (true) {
                for (ConsumerRecord<byte[], byte[]> found : consumer.poll(Duration.ofSeconds(1))) {
                    if (found.value() == null) {
                        continue; // lets compaction forget a deleted item; no change
                    }
                    GenericRecord change = decode(found.value(), arguments[1]);
                    System.out.printf(
                            "%s %s %s -> %s%n",
                            found.topic(),
                            change.get("kind"),
                            change.get("before"),
                            change.get("after"));
                }
            }
        }
    }

    /** Reads the magic byte 0, the id of the schema in four bytes, and the record behind them. */
    private static GenericRecord decode(byte[] framed, String registry) throws Exception {
        int id = ByteBuffer.wrap(framed, 1, 4).getInt();
        Schema schema = SCHEMAS.get(id);
        if (schema == null) {
            schema = fetch(registry + "/schemas/ids/" + id);
            SCHEMAS.put(id, schema);
        }
        return new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(framed, 5, framed.length - 5, null));
    }

    private static Schema fetch(String url) throws Exception {
        String json =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(url)).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
        // {"schema":"<the schema, as a JSON string>"}: Avro brings Jackson along
        return new Schema.Parser()
                .parse(
                        new com.fasterxml.jackson.databind.ObjectMapper()
                                .readTree(json)
                                .path("schema")
                                .textValue());
    }
}
