package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.scan;
import static dev.tidemark.launcher.e2e.Items.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records that others write into a table's log, and records that they read from it. */
class OutsideProducerIT {

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static Wire wire() {
        return NODE.wire();
    }

    private static OutsideProducer producer() {
        return new OutsideProducer(wire(), NODE.node().bootstrapServers(), Map.of());
    }

    @Test
    void whatAPlainProducerWritesIsInTheTableAndInEveryIndex() {
        // Given
        wire().create(
                        TableRequest.of("Outside", "pk:S,sk:N")
                                .local("byX", "pk:S,x:N", "ALL")
                                .global("byGroup", "group:S,sk:N", "ALL"));
        TableLog log = new TableLog(NODE.node().bootstrapServers(), "Outside");

        // When
        try (OutsideProducer outside = producer()) {
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                sent.add(
                        outside.put(
                                log.writes(),
                                "key-" + n % 10,
                                Map.of(
                                        "pk",
                                        "key-" + n % 10,
                                        "sk",
                                        n,
                                        "x",
                                        -n,
                                        "group",
                                        "ğroup-" + n % 3)));
            }
            sent.forEach(CompletableFuture::join);
        }

        // Then
        for (int n = 0; n < 100; n++) {
            assertThat(
                            wire().get("Outside", item("pk", "key-" + n % 10, "sk", n))
                                    .ok()
                                    .body()
                                    .at("/Item/x/N")
                                    .asText())
                    .isEqualTo(Integer.toString(-n));
        }
        assertThat(
                        texts(
                                wire().call(
                                                "Query",
                                                query("Outside", "byX", "pk = :0", "key-3")
                                                        .put("ConsistentRead", true))
                                        .items(),
                                "sk"))
                .containsExactly("93", "83", "73", "63", "53", "43", "33", "23", "13", "3");
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(wire().lag("Outside", "byGroup").path("changes").asInt())
                                        .isZero());
        JsonNode group =
                wire().call(
                                "Query",
                                query("Outside", "byGroup", "#g = :0", "ğroup-1")
                                        .set(
                                                "ExpressionAttributeNames",
                                                Wire.read("{\"#g\": \"group\"}")))
                        .ok()
                        .items();
        assertThat(texts(group, "sk"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 100)
                                .filter(n -> n % 3 == 1)
                                .mapToObj(Integer::toString)
                                .toList());
        assertThat(log.await(log.changes(), 100)).hasSize(100);
    }

    @Test
    void whatCantBeAppliedIsPutAsideWithItsReasonAndCounted() {
        // Given
        wire().create(TableRequest.of("Rejecting", "pk:S").global("byGroup", "group:S", "ALL"));
        TableLog log = new TableLog(NODE.node().bootstrapServers(), "Rejecting");
        byte[] key = "a".getBytes(StandardCharsets.UTF_8);
        byte[] garbage = {1, 2, 3};
        Schema foreign =
                SchemaBuilder.record("Foreign").fields().requiredString("text").endRecord();
        GenericRecord alien = new GenericData.Record(foreign);
        alien.put("text", "hello");

        // When
        Map<String, byte[]> sent = new HashMap<>();
        try (OutsideProducer outside = producer()) {
            byte[] good = outside.framedPut(Map.of("pk", "a", "n", 1));
            int right = outside.send(log.writes(), null, key, good).join().partition();
            outside.send(log.writes(), null, key, garbage).join();
            outside.send(log.writes(), null, key, OutsideProducer.frame(4_711, alien)).join();
            outside.send(log.writes(), 1 - right, key, good).join();
            outside.send(log.writes(), null, "b".getBytes(StandardCharsets.UTF_8), good).join();
            outside.send(log.writes(), null, key, outside.framedPut(Map.of("pk", "a", "group", 5)))
                    .join();
            outside.send(log.writes(), null, key, null).join();
            sent.put("good", good);
        }

        // Then
        List<ConsumerRecord<byte[], byte[]>> rejects = log.await(log.rejects(), 6);
        assertThat(rejects.stream().map(record -> header(record, "tidemark.reason")))
                .containsExactlyInAnyOrder(
                        "unreadable",
                        "unreadable",
                        "unreadable",
                        "wrong-partition",
                        "wrong-key",
                        "refused");
        assertThat(rejects)
                .allSatisfy(
                        record -> {
                            assertThat(header(record, "tidemark.detail")).isNotEmpty();
                            assertThat(header(record, "tidemark.source-partition")).matches("[01]");
                            assertThat(header(record, "tidemark.source-offset")).matches("\\d+");
                        });
        assertThat(rejects)
                .filteredOn(record -> header(record, "tidemark.reason").equals("wrong-key"))
                .singleElement()
                .satisfies(
                        record -> {
                            assertThat(record.key()).isEqualTo(new byte[] {'b'});
                            assertThat(record.value()).isEqualTo(sent.get("good"));
                        });
        Map.of("unreadable", 3, "wrong-partition", 1, "wrong-key", 1, "refused", 1)
                .forEach(
                        (reason, count) ->
                                assertThat(
                                                wire().metric(
                                                                "tidemark_rejects_total",
                                                                "table=\"Rejecting\"",
                                                                "reason=\"" + reason + "\""))
                                        .as(reason)
                                        .isEqualTo(count + ".0"));
        // and the table is none the worse for it
        assertThat(wire().call("Scan", scan("Rejecting", "").put("ConsistentRead", true)).count())
                .isEqualTo(1);
        wire().put("Rejecting", item("pk", "c", "group", "g")).ok();
        assertThat(wire().call("Scan", scan("Rejecting", "byGroup")).ok().count()).isEqualTo(1);
    }

    @Test
    void aPlainConsumerReadsTheChangesWithSchemasFromTheRegistry() {
        // Given
        wire().create(TableRequest.of("Observed", "pk:S"));
        wire().put("Observed", item("pk", "a", "n", 1)).ok();
        wire().put("Observed", item("pk", "a", "n", 2)).ok();
        wire().put("Observed", item("pk", "a", "n", 2)).ok();
        wire().delete("Observed", item("pk", "a")).ok();
        TableLog log = new TableLog(NODE.node().bootstrapServers(), "Observed");

        // When
        List<ConsumerRecord<byte[], byte[]>> records = log.await(log.changes(), 3);

        // Then
        try (OutsideProducer registry = producer()) {
            List<GenericRecord> changes =
                    records.stream().map(record -> registry.read(record.value())).toList();
            assertThat(changes)
                    .extracting(change -> change.get("kind").toString())
                    .containsExactly("INSERT", "MODIFY", "REMOVE");
            assertThat(changes)
                    .extracting(change -> change.get("sequence"))
                    .containsExactly(1L, 2L, 3L);
            assertThat(number(changes.get(0), "after")).isEqualTo("1");
            assertThat(number(changes.get(1), "before")).isEqualTo("1");
            assertThat(number(changes.get(1), "after")).isEqualTo("2");
            assertThat(changes.get(2).get("after")).isNull();
        }
        assertThat(wire().get("/subjects").body())
                .contains("dev.tidemark.wire.Write", "dev.tidemark.wire.Change");
        assertThat(wire().get("/schemas/ids/4711").statusCode()).isEqualTo(404);
        assertThat(wire().get("/subjects/none/versions/latest").statusCode()).isEqualTo(404);
    }

    private static String number(GenericRecord change, String image) {
        Map<?, ?> item = (Map<?, ?>) change.get(image);
        Object value =
                item.entrySet().stream()
                        .filter(entry -> entry.getKey().toString().equals("n"))
                        .map(entry -> ((GenericRecord) entry.getValue()).get("value"))
                        .findFirst()
                        .orElseThrow();
        return ((GenericRecord) value).get("text").toString();
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
