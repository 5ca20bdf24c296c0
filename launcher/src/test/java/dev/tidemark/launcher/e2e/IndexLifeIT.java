package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.node.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The life of an index that is added to a table with items, held back, changed and rebuilt. On this
 * node an index is filled so slowly that what is done meanwhile is done meanwhile.
 */
class IndexLifeIT {

    private static final Map<String, String> SETTINGS =
            Map.of("index.backfill-rate", "40", "index.online-operations", "2");
    private static final int ITEMS = 200;

    private static SharedNode.RunningNode running;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(SETTINGS);
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void aBackfillRestsGoesOnAndTellsHowFarItIs() {
        // Given
        fill("Paused", "none");
        wire().call("UpdateTable", TableRequest.adding("Paused", "byG", "g:S,pk:S", "KEYS_ONLY"))
                .ok();

        // When
        change("UpdateBackfill", "Paused", "byG", "Paused", true);

        // Then
        JsonNode paused = only("Paused").path("Backfill");
        assertThat(paused.path("Paused").asBoolean()).isTrue();
        assertThat(wire().describe("Paused").path("TableStatus").asText()).isEqualTo("UPDATING");
        restart();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(backfill("Paused").path("ChangesTotal").asInt())
                                        .isEqualTo(ITEMS));
        JsonNode rested = backfill("Paused");
        assertThat(rested.path("Paused").asBoolean()).isTrue();
        assertThat(rested.path("Percent").asDouble()).isLessThan(100);
        assertThat(rested.path("ChangesApplied").asInt()).isLessThan(ITEMS);
        assertThat(rested.has("SecondsRemaining")).isFalse();
        JsonNode shown = wire().describe("Paused").path("GlobalSecondaryIndexes").get(0);
        assertThat(shown.path("Backfilling").asBoolean()).isTrue();
        assertThat(shown.path("TidemarkBackfill").path("ChangesTotal").asInt()).isEqualTo(ITEMS);
        wire().call("Query", query("Paused", "byG", "g = :0", "g0")).refused("ValidationException");
        String[] labels = {"table=\"Paused\"", "index=\"byG\"", "generation=\"1\""};
        assertThat(Double.parseDouble(wire().metric("tidemark_index_backfill_percent", labels)))
                .isBetween(0.0, 99.9);

        change("UpdateBackfill", "Paused", "byG", "Paused", false);
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(backfill("Paused").path("SecondsRemaining").asDouble())
                                        .isPositive());
        change("UpdateBackfill", "Paused", "byG", "RateLimit", -1);
        wire().awaitActive("Paused");
        JsonNode done = backfill("Paused");
        assertThat(done.path("Percent").asDouble()).isEqualTo(100);
        assertThat(only("Paused").path("ItemsIndexed").asInt()).isEqualTo(ITEMS);
        assertThat(only("Paused").path("ItemsSkipped").asInt(-1)).isZero();
        assertThat(done.path("FinishedAt").asDouble())
                .isGreaterThan(done.path("StartedAt").asDouble());
        assertThat(
                        wire().describe("Paused")
                                .path("GlobalSecondaryIndexes")
                                .get(0)
                                .has("Backfilling"))
                .isFalse();
        assertThat(entries("Paused")).hasSize(ITEMS);
        Wire.Answer late =
                wire().call(
                                "Tidemark.UpdateBackfill",
                                Items.request("Paused")
                                        .put("IndexName", "byG")
                                        .put("Paused", true));
        assertThat(late.refused("ValidationException").message()).contains("not being built");
    }

    @Test
    void anIndexThatIsBeingBuiltIsCancelledByDeletingIt() {
        fill("Cancelled", "none");
        wire().call("UpdateTable", TableRequest.adding("Cancelled", "byG", "g:S,pk:S", "ALL")).ok();

        ObjectNode delete = Items.request("Cancelled");
        delete.putArray("GlobalSecondaryIndexUpdates")
                .addObject()
                .putObject("Delete")
                .put("IndexName", "byG");
        wire().call("UpdateTable", delete).ok();

        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(
                                                wire().describe("Cancelled")
                                                        .has("GlobalSecondaryIndexes"))
                                        .isFalse());
        assertThat(generationsInKafka("Cancelled")).isEmpty();
    }

    @Test
    void twoIndexesAreAddedAtOnceWhereThatIsAllowed() {
        fill("Two", "none");
        ObjectNode both = TableRequest.adding("Two", "byG", "g:S,pk:S", "ALL");
        JsonNode second = TableRequest.adding("Two", "byPk", "pk:S,g:S", "KEYS_ONLY");
        both.withArray("GlobalSecondaryIndexUpdates")
                .add(second.path("GlobalSecondaryIndexUpdates").get(0));

        wire().call("UpdateTable", both).ok();
        wire().call("UpdateTable", TableRequest.adding("Two", "third", "g:S", "ALL"))
                .refused("LimitExceededException");
        change("UpdateBackfill", "Two", "byG", "RateLimit", -1);
        change("UpdateBackfill", "Two", "byPk", "RateLimit", -1);

        wire().awaitActive("Two");
        assertThat(wire().call("Scan", Items.scan("Two", "byPk")).ok().count()).isEqualTo(ITEMS);
    }

    @Test
    void anAlteredIndexIsSwitchedWithoutAGapOrAMixAndOneCanGoBack() {
        // Given
        fill("Altered", "KEYS_ONLY");
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<List<String>> shapes =
                CompletableFuture.supplyAsync(() -> shapesSeenUntil(ends));

        // When
        ObjectNode alter = Items.request("Altered").put("IndexName", "byG");
        alter.putObject("Projection").put("ProjectionType", "ALL");
        wire().call("Tidemark.AlterIndex", alter).ok();
        change("UpdateBackfill", "Altered", "byG", "RateLimit", 400);
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(purposes("Altered"))
                                        .containsExactly("2 SERVING", "1 PREVIOUS"));
        wire().put("Altered", item("pk", "late", "g", "g1", "more", "x")).ok();

        // Then
        JsonNode entry =
                wire().call("Query", query("Altered", "byG", "g = :0 AND pk = :1", "g1", "late"))
                        .ok()
                        .items()
                        .get(0);
        assertThat(Items.names(entry)).containsExactlyInAnyOrder("pk", "g", "more");
        change("RollBackIndex", "Altered", "byG");
        assertThat(purposes("Altered")).containsExactly("1 SERVING", "2 PREVIOUS");
        ends.set(true);
        assertThat(shapes.join())
                .containsExactly("100 x [g, pk]", "100 x [g, more, pk]", "100 x [g, pk]");
        JsonNode kept =
                wire().call("Query", query("Altered", "byG", "g = :0 AND pk = :1", "g1", "late"))
                        .ok()
                        .items()
                        .get(0);
        assertThat(Items.names(kept)).containsExactlyInAnyOrder("pk", "g");
        change("DiscardIndexGeneration", "Altered", "byG", "Generation", "PREVIOUS");
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(purposes("Altered")).containsExactly("1 SERVING"));
        assertThat(generationsInKafka("Altered")).containsExactly("1");
    }

    @Test
    void aNextGenerationWithAnotherKeyIsHeldUntilItIsAskedToServe() {
        // Given
        fill("Held", "ALL");
        ObjectNode alter =
                Items.request("Held")
                        .put("IndexName", "byG")
                        .put("Hold", true)
                        .put("KeepPrevious", false);
        alter.putArray("KeySchema").addObject().put("AttributeName", "more").put("KeyType", "HASH");
        alter.putArray("AttributeDefinitions")
                .addObject()
                .put("AttributeName", "more")
                .put("AttributeType", "S");

        // When
        wire().call("Tidemark.AlterIndex", alter).ok();
        Wire.Answer early =
                wire().call("Tidemark.SwitchIndex", Items.request("Held").put("IndexName", "byG"));
        change("UpdateBackfill", "Held", "byG", "RateLimit", -1);

        // Then
        assertThat(early.refused("ResourceInUseException").message()).contains("caught up");
        wire().put("Held", item("pk", "bad", "g", "g0", "more", 1)).refused("ValidationException");
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(generations("Held"))
                                        .extracting(each -> each.path("IndexStatus").asText())
                                        .containsExactly("ACTIVE", "ACTIVE"));
        assertThat(purposes("Held")).containsExactly("1 SERVING", "2 NEXT");
        wire().call("Query", query("Held", "byG", "more = :0", "m0"))
                .refused("ValidationException");
        Wire.Answer tried =
                wire().call(
                                "Query",
                                query("Held", "byG", "more = :0", "m0").toString(),
                                "x-tidemark-generation",
                                "2");
        assertThat(tried.ok().count()).isPositive();
        change("SwitchIndex", "Held", "byG");
        assertThat(wire().call("Query", query("Held", "byG", "more = :0", "m0")).ok().count())
                .isEqualTo(tried.count());
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(purposes("Held")).containsExactly("2 SERVING"));
    }

    @Test
    void aNextGenerationThatHasNoPlaceForItemsDoesNotTakeOverByItself() {
        // Given
        fill("Wrong", "ALL");
        ObjectNode alter = Items.request("Wrong").put("IndexName", "byG");
        alter.putArray("KeySchema").addObject().put("AttributeName", "more").put("KeyType", "HASH");
        alter.putArray("AttributeDefinitions")
                .addObject()
                .put("AttributeName", "more")
                .put("AttributeType", "N");

        // When
        wire().call("Tidemark.AlterIndex", alter).ok();
        change("UpdateBackfill", "Wrong", "byG", "RateLimit", -1);

        // Then
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(generations("Wrong"))
                                        .extracting(each -> each.path("IndexStatus").asText())
                                        .containsExactly("ACTIVE", "ACTIVE"));
        assertThat(purposes("Wrong")).containsExactly("1 SERVING", "2 NEXT");
        assertThat(generations("Wrong").get(1).path("ItemsSkipped").asInt()).isEqualTo(ITEMS);
        change("DiscardIndexGeneration", "Wrong", "byG", "Generation", "NEXT");
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(purposes("Wrong")).containsExactly("1 SERVING"));
        wire().put("Wrong", item("pk", "text", "g", "g0", "more", "text")).ok();
    }

    @Test
    void aRebuiltIndexIsOfAGenerationOfItsOwn() {
        fill("Rebuilt", "ALL");

        change("RebuildIndex", "Rebuilt", "byG");
        change("UpdateBackfill", "Rebuilt", "byG", "RateLimit", -1);

        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(purposes("Rebuilt")).containsExactly("2 SERVING"));
        assertThat(entries("Rebuilt")).hasSize(ITEMS);
        assertThat(generationsInKafka("Rebuilt")).containsExactly("2");
        change("RebuildIndex", "Rebuilt", "byG");
        wire().call("DeleteTable", Items.request("Rebuilt")).ok();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                wire().call("DescribeTable", Items.request("Rebuilt"))
                                        .refused("ResourceNotFoundException"));
        assertThat(generationsInKafka("Rebuilt")).isEmpty();
    }

    private static Wire wire() {
        return running.wire();
    }

    private static void restart() {
        running.node().close();
        Node node = Node.start(SharedNode.RunningNode.config(running.folder(), SETTINGS));
        running = new SharedNode.RunningNode(node, new Wire(node.uri()), running.folder());
    }

    /** Makes a table with an index byG of this projection, or none, and items in it. */
    private static void fill(String table, String projection) {
        TableRequest made = TableRequest.of(table, "pk:S");
        wire().create(
                        projection.equals("none")
                                ? made
                                : made.global("byG", "g:S,pk:S", projection));
        for (int from = 0; from < ITEMS; from += 25) {
            int first = from;
            wire().call(
                            "BatchWriteItem",
                            Items.batch(
                                    table,
                                    IntStream.range(first, first + 25)
                                            .mapToObj(
                                                    at ->
                                                            item(
                                                                    "pk",
                                                                    "item" + at,
                                                                    "g",
                                                                    "g" + at % 2,
                                                                    "more",
                                                                    "m" + at % 3))
                                            .toArray(ObjectNode[]::new)))
                    .ok();
        }
    }

    /** Asks for one index key again and again; returns how the answers looked, repeats left out. */
    private static List<String> shapesSeenUntil(AtomicBoolean ends) {
        List<String> shapes = new ArrayList<>();
        boolean last;
        do {
            last = ends.get();
            JsonNode items =
                    wire().call("Query", query("Altered", "byG", "g = :0", "g0")).ok().items();
            Set<String> names = new TreeSet<>();
            items.forEach(each -> names.add(new TreeSet<>(Items.names(each)).toString()));
            String shape = items.size() + " x " + String.join(" and ", names);
            if (shapes.isEmpty() || !shapes.get(shapes.size() - 1).equals(shape)) {
                shapes.add(shape);
            }
        } while (!last);
        return shapes;
    }

    private static void change(String operation, String table, String index, Object... member) {
        ObjectNode request = Items.request(table).put("IndexName", index);
        if (member.length > 0) {
            request.set((String) member[0], Wire.JSON.valueToTree(member[1]));
        }
        wire().call("Tidemark." + operation, request).ok();
    }

    private static List<JsonNode> generations(String table) {
        List<JsonNode> all = new ArrayList<>();
        wire().call("Tidemark.DescribeIndexes", Items.request(table))
                .ok()
                .body()
                .path("Indexes")
                .forEach(all::add);
        return all;
    }

    private static List<String> purposes(String table) {
        return generations(table).stream()
                .map(each -> each.path("Generation").asText() + " " + each.path("Purpose").asText())
                .toList();
    }

    private static JsonNode only(String table) {
        assertThat(generations(table)).hasSize(1);
        return generations(table).get(0);
    }

    private static JsonNode backfill(String table) {
        return only(table).path("Backfill");
    }

    private static List<String> entries(String table) {
        return Items.texts(wire().call("Scan", Items.scan(table, "byG")).ok().items(), "pk");
    }

    /** Returns the generations of byG of which Kafka has a topic or a group. */
    private static Set<String> generationsInKafka(String table) {
        return IndexTopics.generations(running.node().bootstrapServers(), table, "byG");
    }
}
