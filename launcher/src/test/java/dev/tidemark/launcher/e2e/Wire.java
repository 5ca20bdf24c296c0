package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests as bytes, each once, and shows replies as they came. Thread-safe. */
final class Wire {

    static final ObjectMapper JSON = new ObjectMapper();
    static final Duration SOON = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI uri;

    Wire(URI uri) {
        this.uri = uri;
    }

    /** A reply. */
    record Answer(int status, JsonNode body, HttpHeaders headers) {

        /** Returns the error's name without its name space, or an empty text. */
        String error() {
            String type = body.path("__type").asText();
            return type.substring(type.indexOf('#') + 1);
        }

        String message() {
            return body.path("message").asText(body.path("Message").asText());
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        JsonNode items() {
            return body.path("Items");
        }

        int count() {
            return body.path("Count").asInt(-1);
        }

        /** Asserts that the request succeeded, and returns this. */
        Answer ok() {
            assertThat(status).as(() -> body.toString()).isEqualTo(200);
            return this;
        }

        /** Asserts that it was refused with this error, and returns this. */
        Answer refused(String error) {
            assertThat(error()).as(() -> body.toString()).isEqualTo(error);
            assertThat(status).isEqualTo(400);
            return this;
        }
    }

    Answer call(String operation, ObjectNode body, String... headers) {
        return call(operation, body.toString(), headers);
    }

    Answer call(String operation, String body, String... headers) {
        return send(operation, body, headers).join();
    }

    CompletableFuture<Answer> send(String operation, String body, String... headers) {
        return send(operation, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Sends a body that need be no text. */
    CompletableFuture<Answer> send(String operation, byte[] body, String... headers) {
        return sendForBytes(operation, body, headers)
                .thenApply(
                        reply ->
                                new Answer(
                                        reply.statusCode(), read(reply.body()), reply.headers()));
    }

    /** Sends a request and shows the body of its reply as it came. */
    CompletableFuture<HttpResponse<byte[]>> sendForBytes(
            String operation, byte[] body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .timeout(SOON)
                        .header(
                                "X-Amz-Target",
                                operation.startsWith("Tidemark.")
                                        ? operation
                                        : "DynamoDB_20120810." + operation)
                        .header("Content-Type", "application/x-amz-json-1.0")
                        .header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request,"
                                        + " SignedHeaders=host, Signature=0")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Returns the page behind a path. */
    HttpResponse<String> get(String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(uri.resolve(path)).timeout(SOON).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("No answer at " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Creates a table and waits until it and its indexes are ACTIVE. */
    void create(TableRequest table) {
        call("CreateTable", table.json()).ok();
        awaitActive(table.name());
    }

    void awaitActive(String table) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(
                        () -> {
                            JsonNode described = describe(table);
                            assertThat(described.path("TableStatus").asText()).isEqualTo("ACTIVE");
                            described
                                    .path("GlobalSecondaryIndexes")
                                    .forEach(
                                            index ->
                                                    assertThat(index.path("IndexStatus").asText())
                                                            .isEqualTo("ACTIVE"));
                        });
    }

    JsonNode describe(String table) {
        return call("DescribeTable", Items.request(table)).ok().body().path("Table");
    }

    Answer put(String table, ObjectNode item) {
        return call("PutItem", Items.request(table).<ObjectNode>set("Item", item));
    }

    Answer get(String table, ObjectNode key) {
        return call(
                "GetItem",
                Items.request(table).put("ConsistentRead", true).<ObjectNode>set("Key", key));
    }

    Answer delete(String table, ObjectNode key) {
        return call("DeleteItem", Items.request(table).<ObjectNode>set("Key", key));
    }

    /** Returns the entry of {@code GET /lag} for an index. */
    JsonNode lag(String table, String index) {
        for (JsonNode one : read(get("/lag").body()).path("tables")) {
            for (JsonNode entry : one.path("indexes")) {
                if (one.path("table").asText().equals(table)
                        && entry.path("index").asText().equals(index)) {
                    return entry;
                }
            }
        }
        throw new AssertionError("No lag of " + index + " of " + table);
    }

    /** Returns the value of a metric with these labels, in any order. */
    String metric(String name, String... labels) {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(
                        line -> {
                            for (String label : labels) {
                                if (!line.contains(label)) {
                                    return false;
                                }
                            }
                            return true;
                        })
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("");
    }

    static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("No JSON: " + text, e);
        }
    }

    private static JsonNode read(byte[] bytes) {
        return read(new String(bytes, StandardCharsets.UTF_8));
    }
}
