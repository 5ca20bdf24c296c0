package dev.tidemark.launcher.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.demo.IndexComparison;
import dev.tidemark.launcher.faults.CountedLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The table whose indexes the tests of this package make, change and remove. Its key is {@code pk};
 * the attributes that indexes may have in their keys are {@code a}, {@code c} (texts), {@code b}
 * and {@code n} (numbers).
 */
final class Living {

    static final String TABLE = "Living";

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration OFTEN = Duration.ofMillis(20);

    private Living() {}

    /** What an index may look like. */
    enum Shape {
        BY_A("a", "ALL"),
        BY_B_AND_C("b,c", "KEYS_ONLY"),
        BY_C_AND_N("c,n", "INCLUDE"),
        BY_A_AND_PK("a,pk", "KEYS_ONLY"),
        BY_N("n", "INCLUDE"),
        BY_C_AND_B("c,b", "ALL"),
        BY_A_KEYS_ONLY("a", "KEYS_ONLY");

        private final String key;
        private final String projection;

        Shape(String key, String projection) {
            this.key = key;
            this.projection = projection;
        }

        private List<String> attributes() {
            return List.of(key.split(",", -1));
        }

        /** Returns an index of this shape, as in CreateTable, and as in AlterIndex. */
        ObjectNode index(String name) {
            ObjectNode index = Endpoint.JSON.createObjectNode().put("IndexName", name);
            ArrayNode schema = index.putArray("KeySchema");
            for (String attribute : attributes()) {
                String role = schema.isEmpty() ? "HASH" : "RANGE";
                schema.addObject().put("AttributeName", attribute).put("KeyType", role);
            }
            ObjectNode projected = index.putObject("Projection").put("ProjectionType", projection);
            if (projection.equals("INCLUDE")) {
                projected.putArray("NonKeyAttributes").add("d");
            }
            return index;
        }

        ArrayNode definitions() {
            ArrayNode definitions = Endpoint.JSON.createArrayNode();
            for (String attribute : attributes()) {
                define(attribute, definitions);
            }
            return definitions;
        }
    }

    /** Creates the table with these indexes and waits until it takes requests. */
    static void create(Endpoint server, Map<String, Shape> indexes) {
        ObjectNode table = request().put("BillingMode", "PAY_PER_REQUEST");
        table.putArray("KeySchema").addObject().put("AttributeName", "pk").put("KeyType", "HASH");
        Map<String, JsonNode> definitions = new LinkedHashMap<>();
        ArrayNode own = Endpoint.JSON.createArrayNode();
        define("pk", own);
        definitions.put("pk", own.get(0));
        indexes.forEach(
                (name, shape) -> {
                    table.withArray("GlobalSecondaryIndexes").add(shape.index(name));
                    shape.definitions()
                            .forEach(
                                    one ->
                                            definitions.put(
                                                    one.path("AttributeName").asText(), one));
                });
        definitions.values().forEach(table.withArray("AttributeDefinitions")::add);
        server.call("CreateTable", table);
        awaitActive(server);
    }

    static ObjectNode request() {
        return Endpoint.JSON.createObjectNode().put("TableName", TABLE);
    }

    static ObjectNode request(UnaryOperator<ObjectNode> rest) {
        return rest.apply(request());
    }

    static ObjectNode text(String value) {
        return Endpoint.JSON.createObjectNode().put("S", value);
    }

    static ObjectNode number(long value) {
        return Endpoint.JSON.createObjectNode().put("N", Long.toString(value));
    }

    static ObjectNode key(String id) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        key.set("pk", text(id));
        return key;
    }

    static ObjectNode adding(String index, Shape shape) {
        ObjectNode update = request();
        update.set("AttributeDefinitions", shape.definitions());
        update.putArray("GlobalSecondaryIndexUpdates")
                .addObject()
                .set("Create", shape.index(index));
        return update;
    }

    static ObjectNode dropping(String index) {
        ObjectNode update = request();
        update.putArray("GlobalSecondaryIndexUpdates")
                .addObject()
                .putObject("Delete")
                .put("IndexName", index);
        return update;
    }

    static ObjectNode altering(String index, Shape shape) {
        ObjectNode alter = request();
        alter.setAll(shape.index(index));
        alter.set("AttributeDefinitions", shape.definitions());
        return alter;
    }

    static ObjectNode named(String index) {
        return request().put("IndexName", index);
    }

    /** Returns all generations of all indexes. */
    static List<JsonNode> generations(Endpoint server) {
        List<JsonNode> all = new ArrayList<>();
        server.call("Tidemark.DescribeIndexes", request()).path("Indexes").forEach(all::add);
        return all;
    }

    /** Returns the generation of an index that serves or is to serve, if there is one. */
    static Optional<JsonNode> serving(Endpoint server, String index) {
        return generations(server).stream()
                .filter(one -> one.path("IndexName").asText().equals(index))
                .filter(one -> one.path("Purpose").asText().equals("SERVING"))
                .findFirst();
    }

    static void awaitActive(Endpoint server) {
        await().atMost(SOON)
                .pollInterval(OFTEN)
                .untilAsserted(
                        () -> {
                            JsonNode table = server.call("DescribeTable", request()).path("Table");
                            assertThat(table.path("TableStatus").asText()).isEqualTo("ACTIVE");
                            assertThat(table.path("GlobalSecondaryIndexes"))
                                    .allSatisfy(
                                            index ->
                                                    assertThat(index.path("IndexStatus").asText())
                                                            .isEqualTo("ACTIVE"));
                        });
    }

    /** Lets everything that is under way end, and waits until all indexes have caught up. */
    static void settle(Endpoint server) {
        finish(server);
        CountedLoad.awaitNoLag(server);
        await().atMost(SOON)
                .pollInterval(OFTEN)
                .untilAsserted(
                        () ->
                                assertThat(generations(server))
                                        .allSatisfy(
                                                one ->
                                                        assertThat(one.at("/Lag/Changes").asInt(-1))
                                                                .isZero()));
    }

    /** Waits until no index is held back, built, removed or to be switched. */
    static void finish(Endpoint server) {
        await().atMost(SOON)
                .pollInterval(OFTEN)
                .untilAsserted(
                        () -> {
                            List<JsonNode> generations = generations(server);
                            for (JsonNode one : generations) {
                                if (one.path("IndexStatus").asText().equals("CREATING")) {
                                    release(server, one.path("IndexName").asText());
                                }
                            }
                            assertThat(generations)
                                    .allSatisfy(
                                            one -> {
                                                assertThat(one.path("IndexStatus").asText())
                                                        .isEqualTo("ACTIVE");
                                                assertThat(one.path("Purpose").asText())
                                                        .isNotEqualTo("NEXT");
                                            });
                        });
        awaitActive(server);
    }

    /** Lets an index be filled as fast as it can be. */
    static void release(Endpoint server, String index) {
        try {
            server.call(
                    "Tidemark.UpdateBackfill",
                    named(index).put("Paused", false).put("RateLimit", -1));
        } catch (EndpointException e) {
            // it has just been filled, or is gone
            assertThat(e.isRetryable()).as(e.toString()).isFalse();
        }
    }

    /** Asserts that every index equals the projection of the table, entry for entry. */
    static IndexComparison.Result compare(Endpoint server) {
        IndexComparison.Result result = new IndexComparison(server, TABLE).compare();
        assertThat(result.agrees()).as(() -> result.toString()).isTrue();
        return result;
    }

    private static void define(String attribute, ArrayNode definitions) {
        definitions
                .addObject()
                .put("AttributeName", attribute)
                .put("AttributeType", attribute.equals("b") || attribute.equals("n") ? "N" : "S");
    }
}
