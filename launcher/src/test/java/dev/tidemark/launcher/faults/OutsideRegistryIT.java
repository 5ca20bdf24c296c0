package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.launcher.client.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node takes the ids of its schemas from the registry it is told of. */
class OutsideRegistryIT {

    private static final int FIRST_ID = 4_000;

    @TempDir Path folder;

    private final List<String> schemas = new CopyOnWriteArrayList<>();
    private final Set<String> subjects = ConcurrentHashMap.newKeySet();
    private HttpServer registry;
    private ServerProcess server;

    @BeforeEach
    void startTheRegistry() throws IOException {
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", this::answer);
        registry.start();
    }

    @AfterEach
    void stopAll() {
        if (server != null) {
            server.close();
        }
        registry.stop(0);
    }

    @Test
    void schemasAreRegisteredThereAndIndexesAreKept() {
        // Given
        server =
                ServerProcess.start(
                        folder,
                        "--set",
                        "schema-registry.url=http://127.0.0.1:" + registry.getAddress().getPort());
        Endpoint endpoint = server.endpoint();
        Measured.createAndAwait(endpoint);

        // When
        for (int n = 0; n < 20; n++) {
            endpoint.call("PutItem", Measured.put(Measured.item("pk", n)));
        }

        // Then
        CountedLoad.awaitNoLag(endpoint);
        assertThat(endpoint.call("Query", Measured.query("pk")).path("Count").asInt())
                .isEqualTo(20);
        assertThat(endpoint.call("Query", Measured.queryGroup("group-1")).path("Count").asInt())
                .isEqualTo(2);
        assertThat(subjects)
                .containsExactlyInAnyOrder(
                        "dev.tidemark.wire.Write",
                        "dev.tidemark.wire.Change",
                        "dev.tidemark.wire.IndexUpdate");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            List<String> path = List.of(exchange.getRequestURI().getPath().split("/", -1));
            ObjectNode reply = Endpoint.JSON.createObjectNode();
            if (exchange.getRequestMethod().equals("POST") && path.get(1).equals("subjects")) {
                JsonNode sent = Endpoint.JSON.readTree(exchange.getRequestBody());
                String schema = sent.path("schema").asText();
                synchronized (schemas) {
                    if (!schemas.contains(schema)) {
                        schemas.add(schema);
                    }
                }
                subjects.add(path.get(2));
                reply.put("id", FIRST_ID + schemas.indexOf(schema));
            } else if (path.get(1).equals("schemas")) {
                reply.put("schema", schemas.get(Integer.parseInt(path.get(3)) - FIRST_ID));
            }
            byte[] body = Endpoint.JSON.writeValueAsBytes(reply);
            exchange.getResponseHeaders()
                    .putAll(
                            Map.of(
                                    "Content-Type",
                                    List.of("application/vnd.schemaregistry.v1+json")));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
