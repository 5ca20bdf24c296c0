package dev.tidemark.launcher.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A server that speaks DynamoDB's protocol. Failures that may pass (throttling, a partition that
 * moves, a broken connection) are tried again with growing pauses before they are reported; a
 * server that has never answered is reported at once. Thread-safe.
 */
public final class Endpoint {

    /** Makes and reads the JSON of requests and replies. */
    public static final ObjectMapper JSON =
            JsonMapper.builder()
                    // numbers are shown as the server wrote them
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                    .build();

    private static final String OWN = "Tidemark.";
    private static final Set<String> RETRYABLE =
            Set.of(
                    "ThrottlingException",
                    "ProvisionedThroughputExceededException",
                    "ServiceUnavailableException",
                    "InternalServerError",
                    "RequestLimitExceeded");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int TRIES = 8;
    private static final int SERVER_FAULT = 500;
    private static final long FIRST_PAUSE_MILLIS = 50;

    private final URI uri;

    /** Whether the server has ever answered. */
    private volatile boolean met;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public Endpoint(URI uri) {
        this.uri = uri;
    }

    public URI uri() {
        return uri;
    }

    /**
     * Sends one request and waits for its reply.
     *
     * @throws EndpointException if the server refuses it, or still can't be asked after some tries
     */
    public JsonNode call(String operation, ObjectNode body) {
        try {
            return send(operation, body).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof EndpointException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /**
     * Sends one request; the future fails with an {@link EndpointException} as {@link #call} does.
     */
    public CompletableFuture<JsonNode> send(String operation, ObjectNode body) {
        byte[] bytes;
        try {
            bytes = JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "Invalid request body: " + e.getOriginalMessage(), e);
        }
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .timeout(TIMEOUT)
                        .header("X-Amz-Target", target(operation))
                        .header("Content-Type", "application/x-amz-json-1.0")
                        .header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=tidemark/20260101/us-east-1/dynamodb/aws4_request,"
                                        + " SignedHeaders=host, Signature=0")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
                        .build();
        return attempt(request, 1);
    }

    /**
     * Returns the text behind a path such as {@code /health/ready}, whatever its status.
     *
     * @throws EndpointException if the server can't be asked
     */
    public HttpResponse<String> get(String path) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(uri.resolve(path)).timeout(TIMEOUT).build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EndpointException("Interrupted", "Interrupted while asking " + uri, false);
        }
    }

    /** Operations that are not DynamoDB's bear their whole name. */
    private static String target(String operation) {
        return operation.startsWith(OWN) ? operation : "DynamoDB_20120810." + operation;
    }

    private CompletableFuture<JsonNode> attempt(HttpRequest request, int attempt) {
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .exceptionallyCompose(
                        failure ->
                                CompletableFuture.<HttpResponse<byte[]>>failedFuture(
                                        unreachable(failure)))
                .thenCompose(this::reply)
                .exceptionallyCompose(
                        failure -> {
                            Throwable cause =
                                    failure instanceof CompletionException
                                            ? failure.getCause()
                                            : failure;
                            if (met
                                    && attempt < TRIES
                                    && cause instanceof EndpointException refused
                                    && refused.isRetryable()) {
                                return CompletableFuture.runAsync(
                                                () -> {},
                                                CompletableFuture.delayedExecutor(
                                                        FIRST_PAUSE_MILLIS << (attempt - 1),
                                                        TimeUnit.MILLISECONDS))
                                        .thenCompose(rested -> attempt(request, attempt + 1));
                            }
                            return CompletableFuture.failedFuture(cause);
                        });
    }

    private CompletableFuture<JsonNode> reply(HttpResponse<byte[]> response) {
        met = true;
        boolean broken = response.statusCode() >= SERVER_FAULT;
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (IOException e) {
            return CompletableFuture.failedFuture(
                    new EndpointException(
                            "UnreadableReply",
                            uri + " answered " + response.statusCode() + " with no JSON",
                            broken));
        }
        if (response.statusCode() == 200) {
            return CompletableFuture.completedFuture(body);
        }
        String type = body.path("__type").asText("Unknown");
        String name = type.substring(type.indexOf('#') + 1);
        String message = body.path("message").asText(body.path("Message").asText(name));
        boolean retryable = broken || RETRYABLE.contains(name);
        return CompletableFuture.failedFuture(new EndpointException(name, message, retryable));
    }

    private EndpointException unreachable(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        String reason =
                cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new EndpointException(
                "Unreachable", "No server answers at " + uri + " (" + reason + ")", true);
    }
}
