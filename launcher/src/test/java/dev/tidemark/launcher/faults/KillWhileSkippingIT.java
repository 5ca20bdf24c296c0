package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node is killed while an index is built from items it has no place for, and again while they are
 * mended: counts and list are what the table's items give.
 */
class KillWhileSkippingIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ITEMS = 400;

    @TempDir Path folder;

    private ServerProcess server;

    @AfterEach
    void killTheServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void countsAndListAreExactAfterKills() {
        // Given
        server = ServerProcess.start(folder, "--set", "index.backfill-rate=200");
        create();
        for (int n = 0; n < ITEMS; n++) {
            put(n, isBad(n) ? number(n) : text("owner-" + n % 5));
        }

        // When
        server.endpoint().call("UpdateTable", addIndex());
        await().atMost(SOON).until(() -> status().path("ItemsSkipped").asInt() > 2);
        assertThat(listed()).hasSizeGreaterThan(2);
        assertThat(status().path("IndexStatus").asText()).isEqualTo("CREATING");
        server.kill();
        server = server.startAgain();

        // Then
        await().atMost(SOON).until(() -> status().path("IndexStatus").asText().equals("ACTIVE"));
        Set<String> bad = new TreeSet<>();
        for (int n = 0; n < ITEMS; n++) {
            if (isBad(n)) {
                bad.add(id(n));
            }
        }
        assertThat(listed()).isEqualTo(bad);
        assertCounts(ITEMS, bad.size());

        // When: half of them are mended or deleted, and the node is killed at once
        for (int n = 0; n < ITEMS / 2; n++) {
            if (isBad(n) && n % 2 == 0) {
                put(n, text("mended"));
                bad.remove(id(n));
            } else if (isBad(n)) {
                server.endpoint().call("DeleteItem", request().<ObjectNode>set("Key", key(n)));
                bad.remove(id(n));
            }
        }
        server.kill();
        server = server.startAgain();

        // Then
        await().atMost(SOON).untilAsserted(() -> assertThat(listed()).isEqualTo(bad));
        int left = server.endpoint().call("Scan", request()).path("Count").asInt();
        await().atMost(SOON).untilAsserted(() -> assertCounts(left, bad.size()));
    }

    private void assertCounts(int items, int skipped) {
        JsonNode status = status();
        assertThat(status.path("ItemsSkipped").asInt(-1)).isEqualTo(skipped);
        assertThat(status.path("ItemsIndexed").asInt(-1)).isEqualTo(items - skipped);
    }

    private JsonNode status() {
        return server.endpoint()
                .call("Tidemark.DescribeIndexes", request())
                .path("Indexes")
                .path(0);
    }

    private Set<String> listed() {
        Set<String> ids = new TreeSet<>();
        JsonNode page =
                server.endpoint()
                        .call(
                                "Tidemark.ListIndexViolations",
                                request().put("IndexName", "byOwner"));
        page.path("Violations").forEach(each -> ids.add(each.at("/Key/id/S").asText()));
        assertThat(page.path("Count").asInt()).isEqualTo(ids.size());
        return ids;
    }

    private static boolean isBad(int n) {
        return n % 7 == 3;
    }

    private static String id(int n) {
        return "parcel-" + n;
    }

    private static ObjectNode request() {
        return Endpoint.JSON.createObjectNode().put("TableName", "Parcels");
    }

    private static ObjectNode key(int n) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        key.putObject("id").put("S", id(n));
        return key;
    }

    private static ObjectNode text(String value) {
        return Endpoint.JSON.createObjectNode().put("S", value);
    }

    private static ObjectNode number(int value) {
        return Endpoint.JSON.createObjectNode().put("N", Integer.toString(value));
    }

    private void put(int n, ObjectNode owner) {
        ObjectNode item = key(n);
        item.set("owner", owner);
        server.endpoint().call("PutItem", request().<ObjectNode>set("Item", item));
    }

    private void create() {
        ObjectNode table =
                Measured.json(
                        """
                        {"BillingMode": "PAY_PER_REQUEST",
                         "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                         "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}
                        """);
        server.endpoint().call("CreateTable", table.put("TableName", "Parcels"));
        await().atMost(SOON)
                .until(
                        () ->
                                server.endpoint()
                                        .call("DescribeTable", request())
                                        .at("/Table/TableStatus")
                                        .asText()
                                        .equals("ACTIVE"));
    }

    private static ObjectNode addIndex() {
        ObjectNode update =
                Measured.json(
                        """
                        {"AttributeDefinitions": [{"AttributeName": "owner", "AttributeType": "S"}],
                         "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "byOwner",
                           "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                           "Projection": {"ProjectionType": "KEYS_ONLY"}}}]}
                        """);
        return update.put("TableName", "Parcels");
    }
}
