package dev.tidemark.query.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HttpFrontEndTest {

    private static final int MEGABYTE = 1 << 20;

    private final CompletableFuture<Reply> slow = new CompletableFuture<>();
    private final List<String> observed = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ready = new AtomicBoolean();
    private final HttpClient client = HttpClient.newHttpClient();
    private Vertx vertx;
    private WorkerPool workers;
    private HttpFrontEnd frontEnd;
    private int port;

    @BeforeEach
    void start() {
        vertx = HttpFrontEnd.vertx(2);
        workers = new WorkerPool(2, 100);
        serve(HttpSettings.at("127.0.0.1", 0));
    }

    @AfterEach
    void stop() {
        slow.complete(Reply.of("{}".getBytes(UTF_8)));
        frontEnd.stop().toCompletableFuture().join();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        workers.close();
    }

    private void serve(HttpSettings settings) {
        if (frontEnd != null) {
            frontEnd.stop().toCompletableFuture().join();
        }
        Map<String, Operation> operations =
                Map.of(
                        "Echo",
                        request ->
                                CompletableFuture.completedFuture(
                                        Reply.of(request.body()).withHeader("x-extra", "more")),
                        "Size",
                        request ->
                                CompletableFuture.completedFuture(
                                        Reply.of(
                                                ("{\"Size\":" + request.body().length + "}")
                                                        .getBytes(UTF_8))),
                        "Json",
                        request -> {
                            request.json().string("Text");
                            return CompletableFuture.completedFuture(Reply.of(request.body()));
                        },
                        "Slow",
                        request -> slow,
                        "Refuse",
                        request -> {
                            throw ApiException.validation("no \"such\" thing");
                        },
                        "FailedCondition",
                        request ->
                                CompletableFuture.failedFuture(
                                        new ApiException(
                                                ApiError.CONDITION_FAILED,
                                                "The conditional request failed",
                                                Optional.of(
                                                        new Item(
                                                                Map.of(
                                                                        "a",
                                                                        new AttributeValue.Bool(
                                                                                true)))))),
                        "Broken",
                        request -> {
                            throw new IllegalStateException("a bug");
                        },
                        "Tidemark.Internal",
                        request -> CompletableFuture.completedFuture(Reply.of(request.body())));
        frontEnd =
                new HttpFrontEnd(
                        vertx,
                        settings,
                        new OperationRegistry(operations),
                        workers,
                        new Pages(
                                ready::get,
                                () -> "metric 1\n",
                                path ->
                                        path.equals("/subjects")
                                                ? Optional.of(Page.json(200, "[]"))
                                                : Optional.empty()),
                        (operation, error, nanos) ->
                                observed.add(operation + " " + error.map(Enum::name).orElse("ok")));
        port = frontEnd.start().toCompletableFuture().join();
    }

    @Test
    void aReplyCarriesIdChecksumTypeAndTheHeadersOfItsOperation() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Echo", "{\"a\":\"ü\"}"));

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(text(response)).isEqualTo("{\"a\":\"ü\"}");
        assertThat(header(response, "content-type")).isEqualTo("application/x-amz-json-1.0");
        assertThat(header(response, "x-amzn-requestid")).matches("[0-9A-Z]{52}");
        assertThat(header(response, "date")).endsWith(" GMT");
        assertThat(header(response, "x-amz-crc32")).isEqualTo(crc(response.body()));
        assertThat(header(response, "x-extra")).isEqualTo("more");
        await().untilAsserted(() -> assertThat(observed).containsExactly("Echo ok"));
    }

    @ParameterizedTest
    @CsvSource({"GZIP, 5000", "GZIP, 200000", "DEFLATE, 5000", "DEFLATE, 200000"})
    void aCompressedReplyCarriesTheChecksumOfTheBytesAsSent(ContentCoding coding, int size)
            throws Exception {
        // Given
        String body = "{\"a\":\"" + "x".repeat(size) + "\"}";

        // When
        HttpResponse<byte[]> response =
                send(request("Echo", body).header("Accept-Encoding", coding.wireName()));

        // Then
        assertThat(header(response, "content-encoding")).isEqualTo(coding.wireName());
        assertThat(header(response, "x-amz-crc32")).isEqualTo(crc(response.body()));
        assertThat(response.body().length).isLessThan(size);
        assertThat(coding.decode(response.body(), MEGABYTE)).asString(UTF_8).isEqualTo(body);
    }

    @Test
    void aSmallReplyIsNotWorthCompressing() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        request("Echo", "{\"a\":\"" + "x".repeat(3_000) + "\"}")
                                .header("Accept-Encoding", "gzip"));

        // Then
        assertThat(response.headers().firstValue("content-encoding")).isEmpty();
    }

    @Test
    void aReplyIsNotCompressedForAClientThatRefusesIt() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        request("Echo", "{\"a\":\"" + "x".repeat(5_000) + "\"}")
                                .header("Accept-Encoding", "gzip;q=0"));

        // Then
        assertThat(response.headers().firstValue("content-encoding")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void aCompressedRequestIsReadUncompressed(ContentCoding coding) throws Exception {
        // Given
        String body = "{\"a\":\"" + "y".repeat(5_000) + "\"}";

        // When
        HttpResponse<byte[]> response =
                send(
                        request("Size", compressed(coding, body))
                                .header("Content-Encoding", coding.wireName()));

        // Then
        assertThat(text(response)).isEqualTo("{\"Size\":" + body.length() + "}");
    }

    @Test
    void aCompressedRequestThatGrowsBeyondTheLimitIsTooLarge() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        request("Size", compressed(ContentCoding.GZIP, " ".repeat(17 * MEGABYTE)))
                                .header("Content-Encoding", "gzip"));

        // Then
        assertThat(response.statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({"gzip, {}", "deflate, {}", "gzip, ''", "deflate, ''", "compress, {}"})
    void aBodyThatIsNotInTheCodingItsHeaderNamesIsAnInternalErrorAsOnDynamo(
            String coding, String body) throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(request("Size", body).header("Content-Encoding", coding));

        // Then
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(text(response)).contains("InternalServerError");
    }

    @Test
    void aTruncatedBodyIsNotReadAsFarAsItGoes() throws Exception {
        // Given
        byte[] whole = "{}".getBytes(UTF_8);
        byte[] gzip = ContentCoding.GZIP.encode(whole, whole.length);

        // When
        HttpResponse<byte[]> response =
                send(
                        request(
                                        "Size",
                                        HttpRequest.BodyPublishers.ofByteArray(
                                                gzip, 0, gzip.length - 1))
                                .header("Content-Encoding", "gzip"));

        // Then
        assertThat(response.statusCode()).isEqualTo(500);
    }

    @Test
    void aBodyOfExactlyTheLimitIsTakenInWholeAndOneByteMoreIsTooLarge() throws Exception {
        // Given
        byte[] fits = new byte[HttpSettings.MAX_BODY];
        byte[] exceeds = new byte[HttpSettings.MAX_BODY + 1];

        // Then
        assertThat(text(send(request("Size", HttpRequest.BodyPublishers.ofByteArray(fits)))))
                .isEqualTo("{\"Size\":" + HttpSettings.MAX_BODY + "}");
        assertThat(
                        send(request("Size", HttpRequest.BodyPublishers.ofByteArray(exceeds)))
                                .statusCode())
                .isEqualTo(413);
    }

    @Test
    void aChunkedBodyBeyondTheLimitIsTooLargeToo() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        request(
                                "Size",
                                HttpRequest.BodyPublishers.ofInputStream(
                                        () -> new ByteArrayInputStream(new byte[17 * MEGABYTE]))));

        // Then
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(text(send(request("Echo", "{}")))).isEqualTo("{}");
    }

    @Test
    void headersBeyondTheLimitAreRefused() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(request("Echo", "{}").header("x-long", "x".repeat(17_000)));

        // Then
        assertThat(response.statusCode()).isEqualTo(400);
    }

    @Test
    void operationsAreAtTheRootAlone() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Echo", "{}").uri(uri("/" + "x".repeat(100))));

        // Then
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(send(request("Echo", "{}").uri(uri("/" + "x".repeat(17_000)))).statusCode())
                .isEqualTo(400);
    }

    @Test
    void anUnknownOperationIsNamedSo() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Nothing", "{}"));

        // Then
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(text(response))
                .isEqualTo("{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}");
        assertThat(header(response, "x-amz-crc32")).isEqualTo(crc(response.body()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Nothing", "Echo"})
    void malformedJsonIsToldBeforeAnUnknownOperationOrMissingCredentials(String operation)
            throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .header("Content-Type", "application/json")
                                .header("X-Amz-Target", "DynamoDB_20120810." + operation)
                                .POST(HttpRequest.BodyPublishers.ofString("nonsense")));

        // Then
        assertThat(text(response))
                .isEqualTo("{\"__type\":\"com.amazon.coral.service#SerializationException\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-amz-json-1.0, application/x-amz-json-1.0",
        "application/x-amz-json-1.0; charset=utf-8, application/x-amz-json-1.0",
        "Application/JSON, application/json",
        "application/json;charset=UTF-8, application/json",
    })
    void aReplyHasTheTypeOfItsRequest(String sent, String answered) throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Echo", "{}").setHeader("Content-Type", sent));

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).isEqualTo(answered);
    }

    @Test
    void twoFrontEndsOnFreePortsDoNotShareOne() {
        // Given
        HttpFrontEnd second =
                new HttpFrontEnd(
                        vertx,
                        HttpSettings.at("127.0.0.1", 0).forNodes(),
                        new OperationRegistry(Map.of()),
                        workers,
                        Pages.NONE,
                        RequestObserver.NONE);

        // When
        int secondPort = second.start().toCompletableFuture().join();

        // Then
        assertThat(secondPort).isNotEqualTo(port);
        second.stop().toCompletableFuture().join();
    }

    @Test
    void operationsOfOurOwnAreKnownByTheirWholeNamesOnly() throws Exception {
        assertThat(text(send(target("Tidemark.Internal", "{}")))).isEqualTo("{}");
        assertThat(text(send(target("Tidemark.Another", "{}"))))
                .contains("UnknownOperationException");
        assertThat(text(send(target("DynamoDB_20120810.Internal", "{}"))))
                .contains("UnknownOperationException");
    }

    @Test
    void internalOperationsAreServedToNodesWithoutCredentials() throws Exception {
        // Given
        serve(HttpSettings.at("127.0.0.1", 0).forNodes());

        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .header("Content-Type", "application/x-amz-json-1.0")
                                .header("X-Amz-Target", "Tidemark.Internal")
                                .POST(HttpRequest.BodyPublishers.ofString("{}")));

        // Then
        assertThat(text(response)).isEqualTo("{}");
    }

    @Test
    void aRequestWithoutAnyCredentialsIsToldSo() throws Exception {
        // Given
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri("/"))
                        .header("Content-Type", "application/x-amz-json-1.0")
                        .header("X-Amz-Target", "DynamoDB_20120810.Echo")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"));

        // When
        HttpResponse<byte[]> response = send(request);
        HttpResponse<byte[]> unsigned = send(request.header("Authorization", "Bearer abc"));

        // Then
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(text(response))
                .isEqualTo(
                        "{\"__type\":\"com.amazon.coral.service#MissingAuthenticationTokenException\","
                                + "\"message\":\"Request is missing Authentication Token\"}");
        assertThat(text(unsigned)).isEqualTo(text(response));
    }

    @Test
    void aRequestMayBeSignedInItsQuery() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/?X-Amz-Algorithm=AWS4-HMAC-SHA256"))
                                .header("Content-Type", "application/x-amz-json-1.0")
                                .header("X-Amz-Target", "DynamoDB_20120810.Echo")
                                .POST(HttpRequest.BodyPublishers.ofString("{}")));

        // Then
        assertThat(text(response)).isEqualTo("{}");
    }

    @Test
    void aBodyThatIsNotJsonByItsTypeIsNoOperation() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .header("Content-Type", "text/xml")
                                .POST(HttpRequest.BodyPublishers.ofString("<a/>")));

        // Then
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(text(response)).isEqualTo("<UnknownOperationException/>\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}{}", "\"a\"", "{\"a\":}", "nonsense"})
    void malformedJsonIsAMistakeOfForm(String body) throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Json", body));

        // Then
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(text(response))
                .isEqualTo("{\"__type\":\"com.amazon.coral.service#SerializationException\"}");
    }

    @Test
    void aMistakeOfFormHasItsTextUnderACapitalMessage() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Json", "{\"Text\":3}"));

        // Then
        assertThat(text(response))
                .isEqualTo(
                        "{\"__type\":\"com.amazon.coral.service#SerializationException\","
                                + "\"Message\":\"NUMBER_VALUE cannot be converted to String\"}");
    }

    @Test
    void otherMistakesHaveTheirTextUnderMessage() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Refuse", "{}"));

        // Then
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(text(response))
                .isEqualTo(
                        "{\"__type\":\"com.amazon.coral.validate#ValidationException\","
                                + "\"message\":\"no \\\"such\\\" thing\"}");
        await().untilAsserted(() -> assertThat(observed).containsExactly("Refuse VALIDATION"));
    }

    @Test
    void aFailedConditionMayShowTheStoredItem() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("FailedCondition", "{}"));

        // Then
        assertThat(text(response))
                .isEqualTo(
                        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\","
                                + "\"message\":\"The conditional request failed\","
                                + "\"Item\":{\"a\":{\"BOOL\":true}}}");
    }

    @Test
    void aBugIsAnsweredAsAnInternalErrorWithoutItsText() throws Exception {
        // When
        HttpResponse<byte[]> response = send(request("Broken", "{}"));

        // Then
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(text(response))
                .contains("com.amazonaws.dynamodb.v20120810#InternalServerError")
                .doesNotContain("a bug");
    }

    @Test
    void aSlowRequestIsAnsweredRetryablyWhenItsTimeIsUp() throws Exception {
        // Given
        serve(HttpSettings.at("127.0.0.1", 0).withRequestTimeout(Duration.ofMillis(200)));

        // When
        HttpResponse<byte[]> response = send(request("Slow", "{}"));

        // Then
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(text(response)).contains("did not complete in time");
        assertThat(frontEnd.inFlight()).isZero();
    }

    @Test
    void aRequestWhoseBodyDoesNotComeIsGivenUp() throws Exception {
        // Given
        serve(HttpSettings.at("127.0.0.1", 0).withRequestTimeout(Duration.ofMillis(200)));

        // When
        String answer;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"
                                    .getBytes(US_ASCII));
            answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
        }

        // Then
        assertThat(answer).startsWith("HTTP/1.1 500");
        assertThat(frontEnd.inFlight()).isZero();
    }

    @Test
    void requestsBeyondTheBoundAreRefusedAtOnceAndTheOthersGoOn() throws Exception {
        // Given
        serve(HttpSettings.at("127.0.0.1", 0).withMaxInFlight(3));
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = new ArrayList<>();
        for (int at = 0; at < 3; at++) {
            waiting.add(sendAsync(request("Slow", "{}")));
        }
        await().until(() -> frontEnd.inFlight() == 3);

        // When
        HttpResponse<byte[]> refused = send(request("Echo", "{}"));

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(text(refused)).contains("ThrottlingException");
        slow.complete(Reply.of("{}".getBytes(UTF_8)));
        for (CompletableFuture<HttpResponse<byte[]>> each : waiting) {
            assertThat(each.join().statusCode()).isEqualTo(200);
        }
        assertThat(text(send(request("Echo", "{}")))).isEqualTo("{}");
    }

    @Test
    void aClientThatLeavesFreesItsPlace() throws Exception {
        // Given
        byte[] half =
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{".getBytes(US_ASCII);

        // When
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(half);
            await().until(() -> frontEnd.inFlight() == 1);
        }

        // Then
        await().until(() -> frontEnd.inFlight() == 0);
    }

    @Test
    void stoppingLetsRequestsUnderWayFinish() {
        // Given
        CompletableFuture<HttpResponse<byte[]>> underWay = sendAsync(request("Slow", "{}"));
        await().until(() -> frontEnd.inFlight() == 1);

        // When
        CompletableFuture<Void> stopped = frontEnd.stop().toCompletableFuture();

        // Then
        assertThat(stopped).isNotDone();
        slow.complete(Reply.of("{\"done\":true}".getBytes(UTF_8)));
        assertThat(text(underWay.join())).isEqualTo("{\"done\":true}");
        stopped.join();
    }

    @Test
    void stoppingDoesNotWaitForEver() {
        // Given
        serve(HttpSettings.at("127.0.0.1", 0).withStopTimeout(Duration.ofMillis(100)));
        CompletableFuture<HttpResponse<byte[]>> underWay = sendAsync(request("Slow", "{}"));
        await().until(() -> frontEnd.inFlight() == 1);

        // When
        frontEnd.stop().toCompletableFuture().join();

        // Then
        assertThat(underWay)
                .satisfiesAnyOf(
                        future -> assertThat(future).isCompletedExceptionally(),
                        future -> await().until(future::isDone));
    }

    @Test
    void healthTellsLiveFromReady() throws Exception {
        // Then
        assertThat(text(get("/"))).isEqualTo("healthy: 127.0.0.1:" + port + " ");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        ready.set(true);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsAndMountedPagesAreServed() throws Exception {
        // Then
        assertThat(text(get("/metrics"))).isEqualTo("metric 1\n");
        assertThat(text(get("/subjects"))).isEqualTo("[]");
        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
    }

    @Test
    void aBrowserMayAskBeforehand() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .header("Origin", "http://example.com")
                                .header("Access-Control-Request-Headers", "x-amz-target")
                                .header("Access-Control-Request-Method", "POST")
                                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(header(response, "Access-Control-Allow-Headers")).isEqualTo("x-amz-target");
        assertThat(header(response, "Access-Control-Allow-Methods")).isEqualTo("POST");
        assertThat(header(response, "Access-Control-Max-Age")).isEqualTo("172800");
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "PUT", "DELETE", "PATCH"})
    void otherMethodsAreNoOperation(String method) throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .method(method, HttpRequest.BodyPublishers.noBody()));

        // Then
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(text(response)).isEqualTo("<UnknownOperationException/>\n");
        assertThat(header(response, "x-amz-crc32")).isEqualTo(crc(response.body()));
        assertThat(header(response, "x-amzn-RequestId")).matches("[0-9A-Z]{52}");
    }

    @Test
    void aScriptOfAnotherOriginMaySeeEveryAnswer() throws Exception {
        for (HttpRequest.Builder request :
                List.of(
                        request("Echo", "{}"),
                        request("Nothing", "{}"),
                        HttpRequest.newBuilder(uri("/")).GET(),
                        HttpRequest.newBuilder(uri("/"))
                                .POST(HttpRequest.BodyPublishers.ofString("x")))) {
            // When
            HttpResponse<byte[]> response = send(request.header("Origin", "http://example.com"));

            // Then
            assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(header(response, "Access-Control-Expose-Headers"))
                    .contains("x-amzn-RequestId");
            assertThat(response.headers().firstValue("Access-Control-Max-Age")).isEmpty();
        }
    }

    @Test
    void whoIsNoScriptOfAnotherOriginIsToldNothingOfOrigins() throws Exception {
        // When
        HttpResponse<byte[]> response =
                send(
                        HttpRequest.newBuilder(uri("/"))
                                .header("Access-Control-Request-Method", "POST")
                                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));

        // Then
        assertThat(response.headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void aTakenPortIsAFailureToStart() {
        // Given
        HttpFrontEnd second =
                new HttpFrontEnd(
                        Vertx.vertx(),
                        HttpSettings.at("127.0.0.1", port),
                        new OperationRegistry(Map.of()),
                        workers,
                        Pages.NONE,
                        RequestObserver.NONE);

        // Then
        assertThat(second.start().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withMessageContaining("in use");
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private HttpRequest.Builder request(String operation, String body) {
        return request(operation, HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpRequest.Builder request(String operation, HttpRequest.BodyPublisher body) {
        return target("DynamoDB_20120810." + operation, body);
    }

    private HttpRequest.Builder target(String target, String body) {
        return target(target, HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpRequest.Builder target(String target, HttpRequest.BodyPublisher body) {
        return HttpRequest.newBuilder(uri("/"))
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("Authorization", "AWS4-HMAC-SHA256 Credential=any")
                .header("X-Amz-Target", target)
                .POST(body);
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)).GET());
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(
                request.version(HttpClient.Version.HTTP_1_1).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private CompletableFuture<HttpResponse<byte[]>> sendAsync(HttpRequest.Builder request) {
        return client.sendAsync(
                request.version(HttpClient.Version.HTTP_1_1).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<byte[]> response, String name) {
        return response.headers().firstValue(name).orElse("absent");
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), UTF_8);
    }

    private static String crc(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return Long.toString(crc.getValue());
    }

    private static HttpRequest.BodyPublisher compressed(ContentCoding coding, String text) {
        byte[] content = text.getBytes(UTF_8);
        return HttpRequest.BodyPublishers.ofByteArray(coding.encode(content, content.length));
    }
}
