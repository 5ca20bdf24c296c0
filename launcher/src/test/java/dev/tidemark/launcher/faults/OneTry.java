package dev.tidemark.launcher.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * A client that sends each request once and tells what came of it: a test that counts what was
 * applied must not send anything again unnoticed.
 */
public final class OneTry {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int SERVER_FAULT = 500;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(2))
                    .build();

    /**
     * What came of a request.
     *
     * @param status of the reply, or 0 if none came
     * @param body of the reply, or an empty object if none came
     * @param lag what the reply says of the index's lag, or an empty text
     * @param position where the reply says a write stands, or an empty text
     */
    public record Answer(int status, JsonNode body, String lag, String position) {

        public boolean isOk() {
            return status == OK;
        }

        /** Returns whether the caller may take it for a fault that passes. */
        public boolean mayPass() {
            return status == 0 || status >= SERVER_FAULT;
        }
    }

    /** Sends one request, with more headers by name and value. */
    public Answer call(URI uri, String operation, ObjectNode body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .timeout(TIMEOUT)
                        .header("X-Amz-Target", "DynamoDB_20120810." + operation)
                        .header("Content-Type", "application/x-amz-json-1.0")
                        .header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request,"
                                        + " SignedHeaders=host, Signature=0")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<byte[]> reply =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(
                    reply.statusCode(),
                    Endpoint.JSON.readTree(reply.body()),
                    reply.headers().firstValue("x-tidemark-lag").orElse(""),
                    reply.headers().firstValue("x-tidemark-position").orElse(""));
        } catch (IOException e) {
            return new Answer(
                    0, JsonNodeFactory.instance.objectNode().put("message", e.toString()), "", "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(0, JsonNodeFactory.instance.objectNode(), "", "");
        }
    }
}
