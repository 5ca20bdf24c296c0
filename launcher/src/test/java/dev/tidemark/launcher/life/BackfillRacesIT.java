package dev.tidemark.launcher.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.faults.ServerProcess;
import dev.tidemark.launcher.life.Living.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Items are overwritten, moved, deleted and moved back while an index is built from them, and the
 * node is killed: the index is what a fresh one would be, and nothing deleted comes back.
 */
class BackfillRacesIT {

    private static final Logger LOGGER = LoggerFactory.getLogger(BackfillRacesIT.class);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ITEMS = 200;

    /** How far the index is when all of that happens. */
    private enum Stage {
        CREATED,
        RUNNING,
        NEAR_ITS_END,
        ACTIVE
    }

    private static final List<Stage> STAGES = List.of(Stage.values());

    @TempDir Path folder;

    private final Map<String, ObjectNode> items = new TreeMap<>();
    private final Set<String> deleted = new HashSet<>();
    private ServerProcess server;

    @AfterEach
    void killTheServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void anIndexBuiltAcrossRacesAndKillsIsWhatAFreshOneWouldBe() {
        // Given
        server = ServerProcess.start(folder, "--set", "index.backfill-rate=150");
        Living.create(server.endpoint(), Map.of());
        for (int n = 0; n < ITEMS; n++) {
            put(n, "old");
        }
        int turn = 0;
        for (Stage stage : STAGES) {
            // When
            String index = stage.name().toLowerCase(Locale.ROOT);
            server.endpoint().call("UpdateTable", Living.adding(index, Shape.BY_A));
            reach(stage, index);
            for (int n = turn; n < ITEMS; n += STAGES.size()) {
                raceBefore(n);
            }
            server.kill();
            server = server.startAgain();
            for (int n = turn; n < ITEMS; n += STAGES.size()) {
                raceAfter(n);
            }
            if (stage == Stage.RUNNING || stage == Stage.NEAR_ITS_END) {
                JsonNode held = Living.serving(server.endpoint(), index).orElseThrow();
                assertThat(held.path("IndexStatus").asText()).isEqualTo("CREATING");
                assertThat(held.at("/Backfill/Paused").asBoolean()).isTrue();
            }
            turn++;
            Living.settle(server.endpoint());

            // Then
            Living.compare(server.endpoint());
            Map<String, JsonNode> entries = scan(index);
            assertThat(scan("")).isEqualTo(items);
            assertThat(entries).isEqualTo(items);
            assertThat(entries.keySet()).doesNotContainAnyElementsOf(deleted);
            server.endpoint().call("Tidemark.RebuildIndex", Living.named(index));
            Living.settle(server.endpoint());
            assertThat(scan(index)).isEqualTo(entries);
            LOGGER.warn("{}: {} items, {} deleted", stage, entries.size(), deleted.size());
        }
        assertThat(Living.compare(server.endpoint()).indexes()).hasSize(STAGES.size());
    }

    private void reach(Stage stage, String index) {
        switch (stage) {
            case CREATED -> {}
            case RUNNING -> holdAt(index, 10);
            case NEAR_ITS_END -> holdAt(index, 80);
            case ACTIVE ->
                    await().atMost(SOON)
                            .pollInterval(Duration.ofMillis(10))
                            .until(
                                    () ->
                                            Living.serving(server.endpoint(), index)
                                                    .filter(
                                                            one ->
                                                                    one.path("IndexStatus")
                                                                            .asText()
                                                                            .equals("ACTIVE"))
                                                    .isPresent());
        }
    }

    /** Holds the backfill once it has so many percent of the changes. */
    private void holdAt(String index, int percent) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () ->
                                Living.serving(server.endpoint(), index)
                                                .orElseThrow()
                                                .at("/Backfill/Percent")
                                                .asDouble()
                                        >= percent);
        server.endpoint().call("Tidemark.UpdateBackfill", Living.named(index).put("Paused", true));
    }

    private void raceBefore(int n) {
        switch (n / STAGES.size() % 5) {
            case 0 -> put(n, "overwritten");
            case 1, 3 -> move(n, "moved");
            case 2 -> delete(n);
            default -> {
                delete(n);
                put(n, "anew");
                delete(n);
            }
        }
    }

    private void raceAfter(int n) {
        switch (n / STAGES.size() % 5) {
            case 0 -> put(n, "old");
            case 1 -> delete(n);
            case 3 -> move(n, "old");
            default -> {}
        }
    }

    private static String id(int n) {
        return "item-" + n;
    }

    private void put(int n, String a) {
        ObjectNode item = Living.key(id(n));
        item.set("a", Living.text(a + n % 3));
        item.set("d", Living.text(a + " of " + n + " after " + deleted.size()));
        server.endpoint().call("PutItem", Living.request(body -> body.set("Item", item)));
        items.put(id(n), item);
        deleted.remove(id(n));
    }

    private void move(int n, String a) {
        ObjectNode request = Living.request().put("UpdateExpression", "SET a = :a");
        request.set("Key", Living.key(id(n)));
        request.putObject("ExpressionAttributeValues").set(":a", Living.text(a + n % 3));
        server.endpoint().call("UpdateItem", request);
        items.get(id(n)).set("a", Living.text(a + n % 3));
    }

    private void delete(int n) {
        server.endpoint()
                .call("DeleteItem", Living.request(body -> body.set("Key", Living.key(id(n)))));
        items.remove(id(n));
        deleted.add(id(n));
    }

    private Map<String, JsonNode> scan(String index) {
        ObjectNode scan =
                index.isEmpty()
                        ? Living.request().put("ConsistentRead", true)
                        : Living.named(index);
        Map<String, JsonNode> found = new TreeMap<>();
        server.endpoint()
                .call("Scan", scan)
                .path("Items")
                .forEach(
                        item ->
                                assertThat(found.put(item.at("/pk/S").asText(), item))
                                        .as("twice: %s", item)
                                        .isNull());
        return found;
    }
}
