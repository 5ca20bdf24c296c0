package dev.tidemark.wire.registry;

import dev.tidemark.wire.JsonBytes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.jspecify.annotations.Nullable;

/**
 * A registry elsewhere that speaks Confluent's API. What it once said of a schema or an id is
 * remembered; that it does not know an id is remembered for a moment, so that garbage in a topic
 * does not become a flood of requests.
 */
public final class ConfluentSchemaRegistry implements SchemaRegistry {

    private static final String JSON = "application/vnd.schemaregistry.v1+json";
    private static final int ATTEMPTS = 3;
    private static final int MAX_UNKNOWN = 1_000;
    private static final long UNKNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private record Registration(String subject, Schema schema) {}

    private final HttpClient client;
    private final String base;
    private final @Nullable String authorization;
    private final Duration timeout;
    private final Map<Registration, Integer> ids = new ConcurrentHashMap<>();
    private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
    private final Map<Integer, Long> unknown = new ConcurrentHashMap<>();

    /**
     * Makes a client; nothing is asked yet.
     *
     * @param url where the API begins, such as {@code http://host:8081} or {@code
     *     http://host/apis/ccompat/v7}; credentials before the host are sent as basic authorization
     * @param timeout how long one request may take; a failed one is repeated twice
     */
    public ConfluentSchemaRegistry(URI url, Duration timeout) {
        if (url.getHost() == null || url.getScheme() == null) {
            throw new IllegalArgumentException("Invalid schema registry URL: no host");
        }
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String path = url.getRawPath() == null ? "" : url.getRawPath().replaceAll("/+$", "");
        this.base = url.getScheme() + "://" + url.getHost() + port + path;
        String credentials = url.getUserInfo();
        this.authorization =
                credentials == null
                        ? null
                        : "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(
                                                credentials.getBytes(StandardCharsets.UTF_8));
        this.timeout = timeout;
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
    }

    @Override
    public int idOf(String subject, Schema schema) {
        Registration registration = new Registration(subject, schema);
        Integer known = ids.get(registration);
        if (known != null) {
            return known;
        }
        String body =
                text(
                        new JsonBytes()
                                .putAscii("{\"schema\":")
                                .putString(schema.toString())
                                .put('}'));
        checkCompatibility(subject, body);
        HttpResponse<String> response =
                send("/subjects/" + encode(subject) + "/versions", Optional.of(body));
        if (response.statusCode() != 200) {
            throw new RegistryException("Schema registry refused a schema: " + message(response));
        }
        int id =
                parse(response)
                        .number("id")
                        .orElseThrow(() -> new RegistryException("Schema registry told no id"));
        ids.put(registration, id);
        return id;
    }

    @Override
    public Optional<Schema> schemaById(int id) {
        Schema known = schemas.get(id);
        if (known != null) {
            return Optional.of(known);
        }
        Long since = unknown.get(id);
        if (since != null && System.nanoTime() - since < UNKNOWN_NANOS) {
            return Optional.empty();
        }
        HttpResponse<String> response = send("/schemas/ids/" + id, Optional.empty());
        if (response.statusCode() == 404) {
            if (unknown.size() >= MAX_UNKNOWN) {
                unknown.clear();
            }
            unknown.put(id, System.nanoTime());
            return Optional.empty();
        }
        if (response.statusCode() != 200) {
            throw new RegistryException(
                    "Schema registry did not tell a schema: " + message(response));
        }
        FlatJson json = parse(response);
        if (!json.text("schemaType").orElse("AVRO").equals("AVRO")) {
            return Optional.empty();
        }
        try {
            Schema schema =
                    new Schema.Parser()
                            .parse(
                                    json.text("schema")
                                            .orElseThrow(
                                                    () ->
                                                            new RegistryException(
                                                                    "Schema registry told no"
                                                                            + " schema")));
            schemas.put(id, schema);
            return Optional.of(schema);
        } catch (SchemaParseException e) {
            throw new RegistryException("Schema registry told a schema that is none", e);
        }
    }

    private void checkCompatibility(String subject, String body) {
        HttpResponse<String> response =
                send(
                        "/compatibility/subjects/" + encode(subject) + "/versions/latest",
                        Optional.of(body));
        // 404: there is no version yet to be compatible with
        if (response.statusCode() != 200 && response.statusCode() != 404) {
            throw new RegistryException(
                    "Schema registry did not check a schema: " + message(response));
        }
        if (response.statusCode() == 200
                && parse(response).text("is_compatible").orElse("true").equals("false")) {
            throw new RegistryException(
                    "Schema registry holds an incompatible version of subject " + subject);
        }
    }

    private HttpResponse<String> send(String path, Optional<String> body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(timeout)
                        .header("Accept", JSON + ", application/json");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        body.ifPresent(
                text ->
                        request.header("Content-Type", JSON)
                                .POST(HttpRequest.BodyPublishers.ofString(text)));
        IOException failure = null;
        try {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                try {
                    HttpResponse<String> response =
                            client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                    boolean isFinal = response.statusCode() < 500 && response.statusCode() != 429;
                    if (isFinal || attempt == ATTEMPTS) {
                        return response;
                    }
                } catch (IOException e) {
                    failure = e;
                }
                if (attempt < ATTEMPTS) {
                    Thread.sleep(100L << attempt);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryException("Interrupted while asking the schema registry", e);
        }
        throw failure == null
                ? new RegistryException("Schema registry does not answer")
                : new RegistryException("Schema registry does not answer", failure);
    }

    private static FlatJson parse(HttpResponse<String> response) {
        try {
            return FlatJson.parse(response.body());
        } catch (IOException e) {
            throw new RegistryException("Schema registry did not answer in JSON", e);
        }
    }

    private static String message(HttpResponse<String> response) {
        try {
            return response.statusCode()
                    + FlatJson.parse(response.body()).text("message").map(" "::concat).orElse("");
        } catch (IOException e) {
            return Integer.toString(response.statusCode());
        }
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String text(JsonBytes json) {
        return new String(json.toByteArray(), StandardCharsets.UTF_8);
    }
}
