package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.batch;
import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.names;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.request;
import static dev.tidemark.launcher.e2e.Items.scan;
import static dev.tidemark.launcher.e2e.Items.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.cli.RootCommand;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that users of stores of this kind have reported: they must not happen here. */
class FieldFailuresIT {

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static Wire wire() {
        return NODE.wire();
    }

    /** floci 587, fakecloud 121, ExtendDB 63, moto 7761, dynalite 43. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pagingAnIndexOfEqualKeysShowsEachItemOnce(boolean forward) {
        // Given
        String table = "EqualKeys" + forward;
        wire().create(TableRequest.of(table, "pk:S,sk:S").global("gsi", "gpk:S,gsk:S", "ALL"));
        for (int n = 0; n < 5; n++) {
            wire().put(table, item("pk", "p" + n % 2, "sk", "s" + n, "gpk", "G", "gsk", "same"))
                    .ok();
        }

        // When
        List<String> found = new ArrayList<>();
        ObjectNode query = query(table, "gsi", "gpk = :0", "G");
        query.put("Limit", 2).put("ScanIndexForward", forward);
        JsonNode cursor;
        do {
            Wire.Answer page = wire().call("Query", query).ok();
            found.addAll(texts(page.items(), "sk"));
            cursor = page.body().path("LastEvaluatedKey");
            if (!cursor.isMissingNode()) {
                assertThat(names(cursor)).containsExactlyInAnyOrder("pk", "sk", "gpk", "gsk");
                query.set("ExclusiveStartKey", cursor);
            }
        } while (!cursor.isMissingNode());

        // Then
        assertThat(found).containsExactlyInAnyOrder("s0", "s1", "s2", "s3", "s4");
    }

    /** floci 2931, moto 7450. */
    @Test
    void aStrongReadOfAGlobalIndexIsRefusedAndOfATableOrLocalIndexIsNot() {
        wire().create(
                        TableRequest.of("StrongReads", "pk:S,sk:S")
                                .local("lsi", "pk:S,x:S", "ALL")
                                .global("gsi", "x:S", "ALL"));
        ObjectNode onGlobal =
                query("StrongReads", "gsi", "x = :0", "x").put("ConsistentRead", true);
        ObjectNode scanGlobal = scan("StrongReads", "gsi").put("ConsistentRead", true);

        assertThat(wire().call("Query", onGlobal).refused("ValidationException").message())
                .isEqualTo("Consistent reads are not supported on global secondary indexes");
        assertThat(wire().call("Scan", scanGlobal).refused("ValidationException").message())
                .isEqualTo("Consistent reads are not supported on global secondary indexes");
        for (String source : List.of("", "lsi")) {
            wire().call(
                            "Query",
                            query("StrongReads", source, "pk = :0", "x")
                                    .put("ConsistentRead", true))
                    .ok();
            wire().call("Scan", scan("StrongReads", source).put("ConsistentRead", true)).ok();
        }
    }

    /** scylladb 6008, floci 2275, dynoxide 91. */
    @Test
    void anItemWithoutAllIndexKeysIsNotInTheIndexAndOneWithAMapThereIsRefused() {
        wire().create(TableRequest.of("Sparse", "p:S").global("gsi", "a:S,b:S", "ALL"));

        wire().put("Sparse", item("p", "onlyA", "a", "x")).ok();
        wire().put("Sparse", item("p", "onlyB", "b", "x")).ok();
        Wire.Answer map =
                wire().put("Sparse", item("p", "map", "a", "x", "b", Wire.read("{\"M\": {}}")));

        assertThat(map.refused("ValidationException").message())
                .contains("Type mismatch for Index Key b Expected: S Actual: M IndexName: gsi");
        assertThat(wire().call("Scan", scan("Sparse", "").put("ConsistentRead", true)).count())
                .isEqualTo(2);
        assertThat(wire().call("Scan", scan("Sparse", "gsi")).count()).isZero();
        assertThat(wire().call("Query", query("Sparse", "gsi", "a = :0", "x")).count()).isZero();
    }

    /** minidyn 137, ExtendDB 207. */
    @Test
    void anItemThatMovesLeavesNoGhostAndItsNeighbourStays() {
        wire().create(TableRequest.of("Ghosts", "pk:N").global("gsi", "g:S", "ALL"));

        wire().put("Ghosts", item("pk", 1, "g", "A")).ok();
        wire().put("Ghosts", item("pk", 2, "g", "A")).ok();
        wire().put("Ghosts", item("pk", 1, "g", "B")).ok();
        assertThat(texts(wire().call("Query", query("Ghosts", "gsi", "g = :0", "A")).items(), "pk"))
                .containsExactly("2");
        assertThat(texts(wire().call("Query", query("Ghosts", "gsi", "g = :0", "B")).items(), "pk"))
                .containsExactly("1");

        wire().put("Ghosts", item("pk", 3, "g", "B")).ok();
        wire().delete("Ghosts", item("pk", 1)).ok();
        assertThat(texts(wire().call("Query", query("Ghosts", "gsi", "g = :0", "B")).items(), "pk"))
                .containsExactly("3");
    }

    /** ExtendDB 4. */
    @Test
    void aPutIsAtOnceSeenByAStrongQueryOfTheLocalIndex() {
        wire().create(TableRequest.of("LocalAtOnce", "pk:S,sk:N").local("lsi", "pk:S,x:N", "ALL"));
        for (int n = 0; n < 100; n++) {
            wire().put("LocalAtOnce", item("pk", "p", "sk", n, "x", -n)).ok();
            ObjectNode query = query("LocalAtOnce", "lsi", "pk = :0 AND x = :1", "p", -n);
            assertThat(texts(wire().call("Query", query.put("ConsistentRead", true)).items(), "sk"))
                    .containsExactly(Integer.toString(n));
        }
    }

    /** scylladb 6569, localstack 3968, aws-sdk-java 972. */
    @Test
    void theReplyToABatchSaysThatNothingIsUnprocessed() {
        wire().create(TableRequest.of("Batch", "pk:S"));
        JsonNode reply = wire().call("BatchWriteItem", batch("Batch", item("pk", "a"))).ok().body();
        assertThat(reply.path("UnprocessedItems").isObject()).isTrue();
        assertThat(reply.path("UnprocessedItems")).isEmpty();
    }

    /** scylladb 23907. */
    @Test
    void anEmptyIndexJustCreatedAnswersAQueryBackwards() {
        wire().create(TableRequest.of("Empty", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        ObjectNode query = query("Empty", "gsi", "g = :0", "x").put("ScanIndexForward", false);
        Wire.Answer answer = wire().call("Query", query).ok();
        assertThat(answer.count()).isZero();
        assertThat(answer.items().isArray()).isTrue();
        assertThat(answer.body().has("LastEvaluatedKey")).isFalse();
    }

    /** localstack 108, 6682, ExtendDB 24. */
    @Test
    void ofManyThatCreateTheSameItemExactlyOneSucceeds() {
        wire().create(TableRequest.of("Race", "pk:S"));
        List<CompletableFuture<Wire.Answer>> racers = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            ObjectNode put =
                    request("Race")
                            .put("ConditionExpression", "attribute_not_exists(pk)")
                            .set("Item", item("pk", "one", "racer", n));
            racers.add(wire().send("PutItem", put.toString()));
        }
        List<Wire.Answer> answers = racers.stream().map(CompletableFuture::join).toList();

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200)
                .allSatisfy(answer -> answer.refused("ConditionalCheckFailedException"));
        int winner =
                answers.indexOf(
                        answers.stream().filter(a -> a.status() == 200).findFirst().orElseThrow());
        assertThat(wire().get("Race", item("pk", "one")).body().at("/Item/racer/N").asInt())
                .isEqualTo(winner);
    }

    /** stream-reactor 766, hono 3064. */
    @Test
    void aReadingThatComesTwiceIsOneItemAndTwoOneMillisecondApartAreTwo() {
        wire().create(
                        TableRequest.of("Readings", "device:S,time:N")
                                .global("gsi", "kind:S,time:N", "ALL"));
        long time = 1_735_689_600_123L;
        ObjectNode reading = item("device", "d", "time", time, "kind", "k", "value", 1);
        wire().put("Readings", reading).ok();
        wire().put("Readings", reading).ok();
        wire().put("Readings", item("device", "d", "time", time + 1, "kind", "k", "value", 2)).ok();
        // the last of the writes to one key counts
        List<CompletableFuture<Wire.Answer>> sent = new ArrayList<>();
        for (int n = 3; n < 20; n++) {
            sent.add(
                    wire().send(
                                    "BatchWriteItem",
                                    batch(
                                                    "Readings",
                                                    item(
                                                            "device", "d", "time", time + n, "kind",
                                                            "k", "value", n))
                                            .toString()));
        }
        sent.forEach(answer -> answer.join().ok());

        ObjectNode table = query("Readings", "", "device = :0", "d").put("ConsistentRead", true);
        assertThat(wire().call("Query", table).count()).isEqualTo(19);
        JsonNode entries = wire().call("Query", query("Readings", "gsi", "kind = :0", "k")).items();
        assertThat(entries).isEqualTo(wire().call("Query", table).items());
        assertThat(texts(entries, "value").subList(0, 2)).containsExactly("1", "2");
    }

    /** kafka-lag-exporter 111, 125, 265, 353, 404. */
    @Test
    void anIndexThatHasCaughtUpLagsByNothingAndNeverByNan() {
        wire().create(TableRequest.of("CaughtUp", "pk:S").global("gsi", "g:S", "ALL"));
        assertNoLag("CaughtUp", "gsi");
        for (int n = 0; n < 200; n++) {
            wire().put("CaughtUp", item("pk", "p" + n, "g", "g" + n % 3)).ok();
        }
        await().atMost(Wire.SOON).untilAsserted(() -> assertNoLag("CaughtUp", "gsi"));
        assertThat(wire().get("/metrics").body()).doesNotContain("NaN");
        // and stays so
        await().during(Duration.ofMillis(500))
                .atMost(Wire.SOON)
                .untilAsserted(() -> assertNoLag("CaughtUp", "gsi"));
    }

    /** The machine_temperature file of the Numenta Anomaly Benchmark, in small. */
    @Test
    void ofTwoRowsOfAFileWithOneKeyTheLastCountsInTheTableAndInTheIndex()
            throws URISyntaxException {
        // Given: 300 rows, of which 12 have the time of an earlier one
        Path file =
                Path.of(
                        Objects.requireNonNull(FieldFailuresIT.class.getResource("temperature.csv"))
                                .toURI());

        // When
        int code =
                RootCommand.run(
                        new String[] {
                            "import",
                            file.toString(),
                            "--endpoint",
                            NODE.uri().toString(),
                            "--table",
                            "Temperature",
                            "--create",
                            "--key",
                            "sensor,timestamp",
                            "--set",
                            "sensor=machine",
                            "--number",
                            "value",
                            "--gsi",
                            "bySensor=sensor,value"
                        });

        // Then
        assertThat(code).isZero();
        ObjectNode all = query("Temperature", "", "sensor = :0", "machine");
        JsonNode items = wire().call("Query", all.put("ConsistentRead", true)).ok().items();
        assertThat(texts(items, "timestamp")).hasSize(288).doesNotHaveDuplicates().isSorted();
        for (int n = 0; n < 12; n++) {
            assertThat(items.path(88 + n).at("/value/N").asText()).isEqualTo(90 + n + ".5");
        }
        Wire.Answer entries =
                wire().call("Query", query("Temperature", "bySensor", "sensor = :0", "machine"));
        assertThat(entries.ok().items()).containsExactlyInAnyOrderElementsOf(items);
    }

    @Test
    void aNodeThatAnswersIsLiveAndReady() {
        assertThat(wire().get("/health/live").statusCode()).isEqualTo(200);
        assertThat(wire().get("/health/ready").statusCode()).isEqualTo(200);
    }

    private static void assertNoLag(String table, String index) {
        JsonNode lag = wire().lag(table, index);
        assertThat(lag.path("changes").asInt(-1)).isZero();
        assertThat(lag.path("ageMillis").asInt(-1)).isZero();
        String[] labels = {"table=\"" + table + "\"", "index=\"" + index + "\""};
        assertThat(wire().metric("tidemark_index_lag_changes", labels)).isEqualTo("0.0");
        assertThat(wire().metric("tidemark_index_lag_seconds", labels)).isEqualTo("0.0");
    }
}
