package dev.tidemark.wire.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.wire.WireSchemas;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSchemaRegistryIT {

    @TempDir static Path folder;
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void twoNodesThatRegisterAtOnceAgree() {
        List<Schema> schemas = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            schemas.add(record("race.R" + number, "x"));
        }
        try (LogSchemaRegistry left = open();
                LogSchemaRegistry right = open()) {
            CompletableFuture<List<Integer>> lefts =
                    CompletableFuture.supplyAsync(() -> register(left, schemas));
            List<Schema> backwards = new ArrayList<>(schemas);
            Collections.reverse(backwards);
            List<Integer> rights = new ArrayList<>(register(right, backwards));
            Collections.reverse(rights);

            assertThat(rights).isEqualTo(lefts.join()).doesNotHaveDuplicates();
            for (int at = 0; at < schemas.size(); at++) {
                assertThat(left.schemaById(rights.get(at))).contains(schemas.get(at));
                assertThat(left.versions(schemas.get(at).getFullName())).hasSize(1);
            }
        }
    }

    @Test
    void whatIsRegisteredOutlivesTheNode() {
        int id;
        try (LogSchemaRegistry first = open()) {
            id = first.idOf(WireSchemas.subject(WireSchemas.WRITE), WireSchemas.WRITE);
        }
        try (LogSchemaRegistry second = open()) {
            assertThat(second.schemaById(id)).contains(WireSchemas.WRITE);
            assertThat(second.subjects()).contains("dev.tidemark.wire.Write");
            assertThat(second.idOf("dev.tidemark.wire.Write", WireSchemas.WRITE)).isEqualTo(id);
        }
    }

    @Test
    void anIdThatIsNewerThanWhatWasReadIsFound() {
        try (LogSchemaRegistry reader = open();
                LogSchemaRegistry writer = open()) {
            int id = writer.idOf("late.L", record("late.L", "x"));
            assertThat(reader.schemaById(id)).contains(record("late.L", "x"));
            assertThat(reader.schemaById(1_000_000)).isEmpty();
        }
    }

    @Test
    void anIncompatibleVersionIsRefused() {
        try (LogSchemaRegistry registry = open()) {
            int first = registry.idOf("strict.S", record("strict.S", "x"));
            Schema wider =
                    SchemaBuilder.record("strict.S")
                            .fields()
                            .requiredInt("x")
                            .optionalString("note")
                            .endRecord();
            assertThat(registry.idOf("strict.S", wider)).isGreaterThan(first);
            assertThat(registry.versions("strict.S")).hasSize(2);
            assertThatThrownBy(() -> registry.idOf("strict.S", record("strict.S", "y")))
                    .isInstanceOf(RegistryException.class)
                    .hasMessageContaining("can't read what the latest version");
        }
    }

    @Test
    void recordsThatAreNoSchemasArePassedOver() throws Exception {
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        config(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String value : List.of("", "{", "{\"schema\":\"{}\"}", "[]", "{\"schema\":{}}")) {
                producer.send(
                                new ProducerRecord<>(
                                        LogSchemaRegistry.TOPIC,
                                        0,
                                        "{\"subject\":\"bad\"}".getBytes(StandardCharsets.UTF_8),
                                        value.getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
        try (LogSchemaRegistry registry = open()) {
            assertThat(registry.versions("bad")).isEmpty();
            assertThat(registry.idOf("good.G", record("good.G", "x"))).isPositive();
        }
    }

    private static LogSchemaRegistry open() {
        return LogSchemaRegistry.open(config(), (short) 1, Duration.ofSeconds(20));
    }

    private static Map<String, Object> config() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    private static List<Integer> register(SchemaRegistry registry, List<Schema> schemas) {
        return schemas.stream().map(schema -> registry.idOf(schema.getFullName(), schema)).toList();
    }

    private static Schema record(String name, String field) {
        return SchemaBuilder.record(name).fields().requiredInt(field).endRecord();
    }
}
