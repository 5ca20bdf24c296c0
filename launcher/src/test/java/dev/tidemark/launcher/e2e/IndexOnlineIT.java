package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.demo.IndexComparison;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What clients see while an index is added, or dropped and made anew under its name. On this node
 * an index is filled so slowly that they see every step.
 */
class IndexOnlineIT {

    private static final int ITEMS = 125;

    private static SharedNode.RunningNode running;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(Map.of("index.backfill-rate", "100"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    /**
     * An index that is CREATING answers nothing, and its member Backfilling is gone once it does.
     */
    @Test
    void anAddedIndexRefusesQueriesUntilItIsActiveAndTheTableWorksThroughout() {
        // Given
        wire().create(TableRequest.of("Added", "pk:S"));
        fill("Added");

        // When
        JsonNode reply =
                wire().call("UpdateTable", TableRequest.adding("Added", "byG", "g:S,pk:S", "ALL"))
                        .ok()
                        .body()
                        .path("TableDescription");

        // Then
        assertThat(state(reply)).startsWith("UPDATING CREATING");
        List<String> states = new ArrayList<>(List.of(state(reply)));
        AtomicInteger round = new AtomicInteger();
        await().atMost(Wire.SOON)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> {
                            String before = states.get(states.size() - 1);
                            tableWorks("Added", round.incrementAndGet());
                            Wire.Answer answer =
                                    wire().call("Query", query("Added", "byG", "g = :0", "g0"));
                            String after = state(wire().describe("Added"));
                            if (!after.equals(before)) {
                                states.add(after);
                            }
                            if (answer.status() == 200) {
                                assertThat(after).isEqualTo("ACTIVE ACTIVE");
                            } else {
                                assertThat(before).isNotEqualTo("ACTIVE ACTIVE");
                                assertThat(answer.refused("ValidationException").message())
                                        .contains("backfilling", "byG");
                            }
                            return answer.status() == 200;
                        });
        assertThat(states)
                .endsWith("UPDATING CREATING Backfilling=true", "ACTIVE ACTIVE")
                .hasSizeLessThanOrEqualTo(3);
        assertThat(round.get()).isGreaterThan(10);
        agree("Added", ITEMS);
    }

    /** A name that is free again is a new index: nothing of the old one is in it. */
    @Test
    void anIndexDroppedAndMadeAnewWithAnotherKeyHoldsNothingOfTheOldOne() {
        // Given
        wire().create(TableRequest.of("Again", "pk:S").global("byG", "g:S,pk:S", "ALL"));
        fill("Again");
        await().atMost(Wire.SOON)
                .until(() -> wire().lag("Again", "byG").path("changes").asInt(-1) == 0);
        ObjectNode anew = TableRequest.adding("Again", "byG", "more:S", "KEYS_ONLY");
        TreeSet<String> generations = new TreeSet<>(generations("Again"));
        assertThat(generations).hasSize(1);
        String old = generations.first();

        for (int time = 0; time < 2; time++) {
            // When
            ObjectNode delete = Items.request("Again");
            delete.putArray("GlobalSecondaryIndexUpdates")
                    .addObject()
                    .putObject("Delete")
                    .put("IndexName", "byG");
            JsonNode reply = wire().call("UpdateTable", delete).ok().body();
            assertThat(state(reply.path("TableDescription"))).isEqualTo("UPDATING DELETING");
            AtomicInteger refused = new AtomicInteger();
            await().atMost(Wire.SOON)
                    .pollInterval(Duration.ofMillis(5))
                    .until(
                            () -> {
                                Wire.Answer answer = wire().call("UpdateTable", anew);
                                if (answer.status() != 200) {
                                    assertThat(answer.refused("ValidationException").message())
                                            .contains("already exists");
                                    refused.incrementAndGet();
                                }
                                return answer.status() == 200;
                            });

            // Then: it was accepted the moment the old one was gone, from Kafka too
            assertThat(refused.get()).isPositive();
            assertThat(generations("Again")).doesNotContain(old);
            await().atMost(Wire.SOON)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> onlyNewEntries(wire().call("Scan", Items.scan("Again", "byG"))));
            wire().awaitActive("Again");
            wire().call("Query", query("Again", "byG", "g = :0", "g0"))
                    .refused("ValidationException");
            agree("Again", ITEMS);
            assertThat(generations("Again")).hasSize(1).doesNotContain(old);
            old = generations("Again").iterator().next();
        }
    }

    private static boolean onlyNewEntries(Wire.Answer answer) {
        if (answer.status() != 200) {
            answer.refused("ValidationException");
            return false;
        }
        assertThat(answer.items())
                .allSatisfy(
                        entry ->
                                assertThat(Items.names(entry))
                                        .containsExactlyInAnyOrder("pk", "more"));
        return true;
    }

    private static void tableWorks(String table, int round) {
        String key = "extra" + round;
        wire().put(table, item("pk", key, "g", "g" + round % 3, "more", "x")).ok();
        assertThat(wire().get(table, item("pk", key)).ok().body().at("/Item/more/S").asText())
                .isEqualTo("x");
        ObjectNode update =
                Items.request(table)
                        .put("UpdateExpression", "SET g = :0")
                        .<ObjectNode>set("Key", item("pk", "item" + round % ITEMS));
        update.set("ExpressionAttributeValues", item(":0", "moved" + round % 7));
        wire().call("UpdateItem", update).ok();
        assertThat(wire().call("Query", query(table, "", "pk = :0", key)).ok().count())
                .isBetween(0, 1);
        wire().delete(table, item("pk", key)).ok();
    }

    /** Returns the statuses of a table and its only index, and whether that is backfilling. */
    private static String state(JsonNode table) {
        JsonNode index = table.path("GlobalSecondaryIndexes").path(0);
        String backfilling =
                index.has("Backfilling") ? " Backfilling=" + index.get("Backfilling") : "";
        return table.path("TableStatus").asText()
                + " "
                + index.path("IndexStatus").asText()
                + backfilling;
    }

    private static void agree(String table, int items) {
        await().atMost(Wire.SOON)
                .until(() -> wire().lag(table, "byG").path("changes").asInt(-1) == 0);
        IndexComparison.Result result =
                new IndexComparison(new Endpoint(running.node().uri()), table).compare();
        assertThat(result.items()).isEqualTo(items);
        assertThat(result.indexes()).hasSize(1);
        assertThat(result.agrees()).as(() -> result.toString()).isTrue();
    }

    private static Set<String> generations(String table) {
        return IndexTopics.generations(running.node().bootstrapServers(), table, "byG");
    }

    private static void fill(String table) {
        for (int from = 0; from < ITEMS; from += 25) {
            ObjectNode[] items =
                    IntStream.range(from, from + 25)
                            .mapToObj(
                                    at ->
                                            item(
                                                    "pk",
                                                    "item" + at,
                                                    "g",
                                                    "g" + at % 2,
                                                    "more",
                                                    "m" + at % 3))
                            .toArray(ObjectNode[]::new);
            wire().call("BatchWriteItem", Items.batch(table, items)).ok();
        }
    }

    private static Wire wire() {
        return running.wire();
    }
}
