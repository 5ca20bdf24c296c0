package dev.tidemark.wire.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.wire.WireSchemas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client against a small registry under a path, which can be made to fail. */
class ConfluentSchemaRegistryTest {

    private static final String PATH = "/apis/ccompat/v7";

    private final InMemorySchemaRegistry held = new InMemorySchemaRegistry();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean compatible = true;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(PATH, this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aSchemaIsRegisteredOnceAndRemembered() {
        ConfluentSchemaRegistry registry = registry("");
        int id = registry.idOf("dev.tidemark.wire.Write", WireSchemas.WRITE);
        assertThat(held.byId(id)).contains(WireSchemas.WRITE);
        assertThat(registry.idOf("dev.tidemark.wire.Write", WireSchemas.WRITE)).isEqualTo(id);
        assertThat(requests)
                .containsExactly(
                        "POST /compatibility/subjects/dev.tidemark.wire.Write/versions/latest",
                        "POST /subjects/dev.tidemark.wire.Write/versions");
    }

    @Test
    void aSchemaIsFetchedOnceAndRemembered() {
        int id = held.idOf("s", WireSchemas.CHANGE);
        ConfluentSchemaRegistry registry = registry("/");
        assertThat(registry.schemaById(id)).contains(WireSchemas.CHANGE);
        assertThat(registry.schemaById(id)).contains(WireSchemas.CHANGE);
        assertThat(requests).containsExactly("GET /schemas/ids/" + id);
    }

    @Test
    void anUnknownIdIsNotAskedForAgainAtOnce() {
        ConfluentSchemaRegistry registry = registry("");
        assertThat(registry.schemaById(77)).isEmpty();
        assertThat(registry.schemaById(77)).isEmpty();
        assertThat(requests).containsExactly("GET /schemas/ids/77");
    }

    @Test
    void anIncompatibleSchemaIsNotRegistered() {
        held.idOf("s", WireSchemas.CHANGE);
        compatible = false;
        Schema schema = SchemaBuilder.record("R").fields().requiredInt("x").endRecord();
        ConfluentSchemaRegistry registry = registry("");
        assertThatThrownBy(() -> registry.idOf("s", schema))
                .isInstanceOf(RegistryException.class)
                .hasMessage("Schema registry holds an incompatible version of subject s");
        assertThat(held.versions("s")).hasSize(1);
    }

    @Test
    void aFailureThatPassesIsNotSeen() {
        failures.set(2);
        int id = held.idOf("s", WireSchemas.CHANGE);
        assertThat(registry("").schemaById(id)).contains(WireSchemas.CHANGE);
        assertThat(requests).hasSize(3);
    }

    @Test
    void aFailureThatStaysIsNotTakenForAnUnknownId() {
        failures.set(Integer.MAX_VALUE);
        ConfluentSchemaRegistry registry = registry("");
        assertThatThrownBy(() -> registry.schemaById(1))
                .isInstanceOf(RegistryException.class)
                .hasMessage("Schema registry did not tell a schema: 503");
        server.stop(0);
        assertThatThrownBy(() -> registry.schemaById(1))
                .isInstanceOf(RegistryException.class)
                .hasMessage("Schema registry does not answer");
    }

    private ConfluentSchemaRegistry registry(String end) {
        return new ConfluentSchemaRegistry(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH + end),
                Duration.ofSeconds(10));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath().substring(PATH.length());
        requests.add(exchange.getRequestMethod() + " " + path);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        RegistryApi.Response response = response(exchange.getRequestMethod(), path, body);
        byte[] bytes = response.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(response.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private RegistryApi.Response response(String method, String path, String body)
            throws IOException {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return new RegistryApi.Response(503, "");
        }
        if (method.equals("GET")) {
            return new RegistryApi(held).get(path).orElseThrow();
        }
        Schema schema =
                new Schema.Parser().parse(FlatJson.parse(body).text("schema").orElseThrow());
        if (path.startsWith("/compatibility/subjects/")) {
            String subject = path.split("/", -1)[3];
            return held.versions(subject).isEmpty()
                    ? new RegistryApi.Response(404, "{\"error_code\":40401}")
                    : new RegistryApi.Response(200, "{\"is_compatible\":" + compatible + "}");
        }
        int id = held.idOf(path.split("/", -1)[2], schema);
        return new RegistryApi.Response(200, "{\"id\":" + id + "}");
    }
}
