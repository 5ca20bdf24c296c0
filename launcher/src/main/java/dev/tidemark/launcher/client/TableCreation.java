package dev.tidemark.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Creating tables and indexes, and waiting until they are usable. */
public final class TableCreation {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private TableCreation() {}

    /**
     * Creates a table and returns once it is ACTIVE.
     *
     * @throws EndpointException if the server refuses it, or it is not ACTIVE within ten minutes
     */
    public static void createAndAwait(Endpoint server, TableSpec table) {
        server.call("CreateTable", table.createRequest());
        await(server, table.name(), Optional.empty(), description -> {});
    }

    /**
     * Returns once the table, or one of its global indexes, is ACTIVE; shows every description seen
     * on the way.
     *
     * @throws EndpointException if there is no such table, or it is not ACTIVE within ten minutes
     */
    public static void await(
            Endpoint server, String table, Optional<String> index, Consumer<JsonNode> seen) {
        ObjectNode body = Endpoint.JSON.createObjectNode().put("TableName", table);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < end) {
            JsonNode description = server.call("DescribeTable", body).path("Table");
            seen.accept(description);
            String status =
                    index.map(name -> indexStatus(description, name))
                            .orElse(description.path("TableStatus").asText());
            if (status.equals("ACTIVE")) {
                return;
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EndpointException(
                        "Interrupted", "Interrupted while waiting for " + table, false);
            }
        }
        throw new EndpointException(
                "Timeout",
                table + index.map(name -> "/" + name).orElse("") + " is not ACTIVE in time",
                false);
    }

    private static String indexStatus(JsonNode description, String index) {
        for (JsonNode global : description.path("GlobalSecondaryIndexes")) {
            if (global.path("IndexName").asText().equals(index)) {
                return global.path("IndexStatus").asText();
            }
        }
        return "ABSENT";
    }
}
