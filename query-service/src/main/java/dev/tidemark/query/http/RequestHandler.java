package dev.tidemark.query.http;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.json.JsonWriter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the requests of one event loop. All of its state belongs to that event loop, and the life
 * of a request is told in one piece: hence its length.
 */
final class RequestHandler implements Handler<HttpServerRequest> {

    private static final Logger LOGGER = LoggerFactory.getLogger(RequestHandler.class);

    /** What operations that are not DynamoDB's begin with. */
    private static final String OWN = "Tidemark.";

    private static final String API = "DynamoDB_20120810.";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    private static final String PLAIN_CONTENT_TYPE = "application/json";
    private static final String SIGNATURE_VERSION = "AWS4-";
    private static final String REQUEST_ID_HEADER = "x-amzn-RequestId";
    private static final String CRC_HEADER = "x-amz-crc32";
    private static final byte[] UNKNOWN =
            "<UnknownOperationException/>\n".getBytes(StandardCharsets.US_ASCII);

    /** Larger bodies are parsed, and larger replies compressed, on a worker. */
    private static final int LARGE = 64 << 10;

    private static final long SWEEP_MILLIS = 50;
    private static final long MOST_DISCARDED = 4L * HttpSettings.MAX_BODY;

    private final Vertx vertx;
    private final HttpSettings settings;
    private final OperationRegistry operations;
    private final WorkerPool workers;
    private final Pages pages;
    private final RequestObserver observer;
    private final HttpFrontEnd.Load load;
    private final RequestIds requestIds = new RequestIds();
    private final CRC32 crc = new CRC32();
    private final HttpDate date = new HttpDate(InstantSource.system());

    /** In the order they came, which is the order of their deadlines. */
    private final Set<Exchange> underWay = new LinkedHashSet<>();

    private final ArrayDeque<Promise<Void>> idleWaiters = new ArrayDeque<>();
    private @Nullable Context context;

    RequestHandler(
            Vertx vertx,
            HttpSettings settings,
            OperationRegistry operations,
            WorkerPool workers,
            Pages pages,
            RequestObserver observer,
            HttpFrontEnd.Load load) {
        this.vertx = vertx;
        this.settings = settings;
        this.operations = operations;
        this.workers = workers;
        this.pages = pages;
        this.observer = observer;
        this.load = load;
    }

    void start(Context eventLoop) {
        this.context = eventLoop;
        vertx.setPeriodic(SWEEP_MILLIS, timer -> sweep());
    }

    /** Returns a future that completes when no request is under way, or after {@code atMost}. */
    Future<Void> whenIdle(Duration atMost) {
        Promise<Void> promise = Promise.promise();
        eventLoop()
                .runOnContext(
                        ignored -> {
                            if (underWay.isEmpty()) {
                                promise.tryComplete();
                            } else {
                                idleWaiters.add(promise);
                                vertx.setTimer(
                                        Math.max(1, atMost.toMillis()),
                                        timer -> promise.tryComplete());
                            }
                        });
        return promise.future();
    }

    @Override
    public void handle(HttpServerRequest request) {
        HttpMethod method = request.method();
        if (method.equals(HttpMethod.POST) && isRoot(request)) {
            takeIn(request);
        } else if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            get(request);
        } else if (method.equals(HttpMethod.OPTIONS)
                && request.getHeader(HttpHeaders.ORIGIN) != null) {
            preflight(request);
        } else {
            unknown(request);
        }
    }

    private static boolean isRoot(HttpServerRequest request) {
        String path = request.path();
        return path == null || path.isEmpty() || path.equals("/");
    }

    private Context eventLoop() {
        Context known = context;
        if (known == null) {
            throw new IllegalStateException("A handler is started before it is used");
        }
        return known;
    }

    private void takeIn(HttpServerRequest request) {
        Exchange exchange = new Exchange(request);
        if (load.stopping) {
            exchange.refuse(
                    new ApiException(
                            ApiError.SERVICE_UNAVAILABLE, "The node is stopping; try another."));
            return;
        }
        if (load.requests.incrementAndGet() > settings.maxInFlight()) {
            load.requests.decrementAndGet();
            exchange.refuse(ErrorForm.overloaded());
            return;
        }
        underWay.add(exchange);
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isBeyond(length, HttpSettings.MAX_BODY)) {
            exchange.tooLarge();
        }
        request.exceptionHandler(failure -> exchange.abandon());
        request.handler(exchange::chunk);
        request.endHandler(ignored -> exchange.complete());
    }

    private static boolean isBeyond(String contentLength, int limit) {
        try {
            return Long.parseLong(contentLength.trim()) > limit;
        } catch (NumberFormatException e) {
            // the HTTP codec refuses such a header itself
            return false;
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        Iterator<Exchange> oldest = underWay.iterator();
        ArrayDeque<Exchange> late = new ArrayDeque<>();
        while (oldest.hasNext()) {
            Exchange exchange = oldest.next();
            if (exchange.deadline - now > 0) {
                break;
            }
            late.add(exchange);
        }
        late.forEach(Exchange::giveUp);
    }

    private void get(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        if (isRoot(request)) {
            health(request);
            return;
        }
        String path = request.path();
        if (path.equals("/health/live")) {
            // says that the event loops turn; it must not depend on a free worker
            page(response, Page.text(200, "live\n"));
            return;
        }
        Future<Page> page = onWorker(() -> pages.page(path));
        page.onComplete(
                result -> {
                    if (result.succeeded()) {
                        page(response, result.result());
                    } else {
                        LOGGER.atWarn()
                                .setCause(result.cause())
                                .addKeyValue("path", path)
                                .log("page can't be made");
                        page(response, Page.text(503, "can't be made now\n"));
                    }
                });
    }

    private void health(HttpServerRequest request) {
        String host = request.getHeader(HttpHeaders.HOST);
        if (host == null) {
            host = "dynamodb." + settings.region() + ".amazonaws.com";
        }
        byte[] body = ("healthy: " + host + " ").getBytes(StandardCharsets.UTF_8);
        CrossOrigin.answer(request);
        HttpServerResponse response = request.response();
        response.putHeader(REQUEST_ID_HEADER, requestIds.next())
                .putHeader(CRC_HEADER, crc(body, body.length));
        send(response, 200, body, body.length);
    }

    private void page(HttpServerResponse response, Page page) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, page.contentType());
        send(response, page.status(), page.body(), page.body().length);
    }

    private void preflight(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.putHeader(REQUEST_ID_HEADER, requestIds.next());
        CrossOrigin.preflight(request);
        send(response, 200, new byte[0], 0);
    }

    /** Answers what is no request within the limits: the line or the headers are too long, say. */
    static void malformed(HttpServerRequest request) {
        request.response()
                .setStatusCode(400)
                .end()
                .onComplete(ended -> request.connection().close());
    }

    private void unknown(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        CrossOrigin.answer(request);
        response.putHeader(REQUEST_ID_HEADER, requestIds.next())
                .putHeader(CRC_HEADER, crc(UNKNOWN, UNKNOWN.length));
        send(response, 404, UNKNOWN, UNKNOWN.length);
    }

    private void send(HttpServerResponse response, int status, byte[] body, int length) {
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status).putHeader(HttpHeaders.DATE, date.now());
        Buffer buffer =
                body.length == length
                        ? Buffer.buffer(body)
                        : Buffer.buffer(length).appendBytes(body, 0, length);
        response.end(buffer)
                .onFailure(failure -> LOGGER.debug("client left before the reply", failure));
    }

    private String crc(byte[] body, int length) {
        crc.reset();
        crc.update(body, 0, length);
        return Long.toString(crc.getValue());
    }

    /** Runs {@code work} on a worker and completes on the event loop. */
    private <T> Future<T> onWorker(Supplier<T> work) {
        Promise<T> promise = Promise.promise();
        try {
            CompletionStage<T> stage = CompletableFuture.supplyAsync(work, workers);
            stage.whenComplete(
                    (result, failure) ->
                            eventLoop()
                                    .runOnContext(
                                            ignored -> {
                                                if (failure == null) {
                                                    promise.complete(result);
                                                } else {
                                                    promise.fail(failure);
                                                }
                                            }));
        } catch (RejectedExecutionException e) {
            promise.fail(e);
        }
        return promise.future();
    }

    /** One request and its answer. */
    private final class Exchange {

        private final HttpServerRequest request;
        private final HttpServerResponse response;
        private final long arrival = System.nanoTime();
        final long deadline = arrival + settings.requestTimeout().toNanos();
        private String operationName = "unknown";
        private @Nullable Buffer received;
        private boolean grown;
        private long held;
        private long discarded;
        private boolean answered;

        Exchange(HttpServerRequest request) {
            this.request = request;
            this.response = request.response();
        }

        void chunk(Buffer chunk) {
            int size = chunk.length();
            if (answered) {
                discard(size);
                return;
            }
            held += size;
            if (load.bytes.addAndGet(size) > settings.maxBufferedBytes()) {
                answer(ErrorForm.overloaded());
            } else if (held > HttpSettings.MAX_BODY) {
                tooLarge();
            } else {
                Buffer before = received;
                received = before == null ? chunk : appended(before, chunk);
            }
        }

        /**
         * Reads on after an early answer, so that a client that sends before it listens gets to see
         * it; but not for ever.
         */
        private void discard(int size) {
            discarded += size;
            if (discarded > MOST_DISCARDED) {
                request.connection().close();
            }
        }

        private Buffer appended(Buffer before, Buffer chunk) {
            // a chunk belongs to the codec; what grows is a copy of the first
            Buffer growing =
                    before.length() == held - chunk.length() && grown ? before : grow(before);
            grown = true;
            return growing.appendBuffer(chunk);
        }

        private Buffer grow(Buffer first) {
            String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
            int expected = 4 * first.length();
            if (length != null) {
                expected = Math.max(expected, Integer.parseInt(length.trim()));
            }
            return Buffer.buffer(Math.min(expected, HttpSettings.MAX_BODY)).appendBuffer(first);
        }

        void complete() {
            if (answered) {
                return;
            }
            Buffer content = received;
            byte[] body = content == null ? new byte[0] : content.getBytes();
            received = null;
            String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
            if (body.length > 0 && !isJson(contentType)) {
                finish();
                unknown(request);
                return;
            }
            String target = request.getHeader("X-Amz-Target");
            Operation operation =
                    find(target == null ? "" : target)
                            .map(this::admitted)
                            .orElseGet(
                                    () ->
                                            refusing(
                                                    new ApiException(
                                                            ApiError.UNKNOWN_OPERATION, "")));
            if (body.length <= LARGE && request.getHeader(HttpHeaders.CONTENT_ENCODING) == null) {
                await(execute(operation, body));
                return;
            }
            onWorker(() -> execute(operation, decoded(body)))
                    .onComplete(
                            started -> {
                                if (started.succeeded()) {
                                    await(started.result());
                                } else {
                                    fail(started.cause());
                                }
                            });
        }

        private byte[] decoded(byte[] body) {
            return ContentCoding.ofBody(request.getHeader(HttpHeaders.CONTENT_ENCODING))
                    .map(coding -> coding.decode(body, HttpSettings.MAX_BODY))
                    .orElse(body);
        }

        private Optional<Operation> find(String target) {
            if (target.startsWith(API)) {
                operationName = target.substring(API.length());
            } else if (settings.internal() || target.startsWith(OWN)) {
                operationName = target;
            } else {
                return Optional.empty();
            }
            Optional<Operation> operation = operations.find(operationName);
            if (operation.isEmpty()) {
                operationName = "unknown";
            }
            return operation;
        }

        private static boolean isJson(@Nullable String contentType) {
            return isType(contentType, CONTENT_TYPE) || isType(contentType, PLAIN_CONTENT_TYPE);
        }

        private static boolean isType(@Nullable String contentType, String type) {
            if (contentType == null || contentType.equals(type)) {
                return contentType != null;
            }
            int end = contentType.indexOf(';');
            return (end < 0 ? contentType : contentType.substring(0, end))
                    .trim()
                    .toLowerCase(Locale.ROOT)
                    .equals(type);
        }

        /** Returns the request's own type: a client reads what it writes. */
        private String replyType() {
            return isType(request.getHeader(HttpHeaders.CONTENT_TYPE), CONTENT_TYPE)
                    ? CONTENT_TYPE
                    : PLAIN_CONTENT_TYPE;
        }

        private Operation admitted(Operation operation) {
            return settings.internal() || isAuthenticated()
                    ? operation
                    : refusing(
                            new ApiException(
                                    ApiError.MISSING_AUTHENTICATION_TOKEN,
                                    "Request is missing Authentication Token"));
        }

        /** Returns an operation that only refuses: after a look at the form of the body. */
        private static Operation refusing(ApiException refusal) {
            return request -> {
                if (request.body().length > 0) {
                    request.json();
                }
                throw refusal;
            };
        }

        /** Any credentials will do, but a request that names none is a mistake worth telling. */
        private boolean isAuthenticated() {
            String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
            if (authorization != null) {
                return authorization.trim().startsWith(SIGNATURE_VERSION);
            }
            String query = request.query();
            return query != null && query.contains("X-Amz-Algorithm");
        }

        /** What only nodes say of a request counts only among nodes. */
        private Optional<String> header(String name) {
            return settings.internal() || !name.equalsIgnoreCase(PartitionRouter.FORWARDED)
                    ? Optional.ofNullable(request.getHeader(name))
                    : Optional.empty();
        }

        @SuppressWarnings("IllegalCatch") // a request boundary: every request is answered
        private CompletionStage<Reply> execute(Operation operation, byte[] body) {
            try {
                return operation.execute(new Request(operationName, body, this::header));
            } catch (RuntimeException | StackOverflowError e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void await(CompletionStage<Reply> stage) {
            stage.whenComplete(
                    (reply, failure) -> {
                        if (Vertx.currentContext() == context) {
                            settle(reply, failure);
                        } else {
                            eventLoop().runOnContext(ignored -> settle(reply, failure));
                        }
                    });
        }

        private void settle(@Nullable Reply reply, @Nullable Throwable failure) {
            if (reply != null) {
                answer(reply);
            } else {
                fail(
                        failure == null
                                ? new IllegalStateException("An operation gave no reply")
                                : failure);
            }
        }

        private void fail(Throwable failure) {
            ApiException shown = ErrorForm.apiException(failure);
            if (ErrorForm.isUnexpected(failure)) {
                LOGGER.atError()
                        .setCause(failure)
                        .addKeyValue("operation", operationName)
                        .log("operation failed unexpectedly");
            }
            answer(shown);
        }

        void refuse(ApiException failure) {
            answered = true;
            JsonWriter out = ErrorForm.write(failure);
            respond(failure.error().status(), out.array(), out.size(), Map.of());
            observer.answered(
                    operationName, Optional.of(failure.error()), System.nanoTime() - arrival);
        }

        void tooLarge() {
            answer(new ApiException(ApiError.REQUEST_TOO_LARGE, "Request is too large."));
        }

        void giveUp() {
            boolean incomplete = !request.isEnded();
            answer(ErrorForm.tooLate());
            if (incomplete) {
                request.connection().close();
            }
        }

        private void closeAfterwards() {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }

        void answer(ApiException failure) {
            if (answered) {
                return;
            }
            finish();
            JsonWriter out = ErrorForm.write(failure);
            respond(failure.error().status(), out.array(), out.size(), Map.of());
            observer.answered(
                    operationName, Optional.of(failure.error()), System.nanoTime() - arrival);
        }

        private void answer(Reply reply) {
            if (answered) {
                return;
            }
            finish();
            respond(200, reply.body(), reply.length(), reply.headers());
            observer.answered(operationName, Optional.empty(), System.nanoTime() - arrival);
        }

        /** The client has left. */
        void abandon() {
            if (!answered) {
                finish();
            }
        }

        private void finish() {
            answered = true;
            received = null;
            load.bytes.addAndGet(-held);
            load.requests.decrementAndGet();
            underWay.remove(this);
            if (underWay.isEmpty()) {
                for (Promise<Void> waiter : idleWaiters) {
                    waiter.tryComplete();
                }
                idleWaiters.clear();
            }
        }

        private void respond(int status, byte[] body, int length, Map<String, String> headers) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, replyType())
                    .putHeader(REQUEST_ID_HEADER, requestIds.next());
            headers.forEach(response::putHeader);
            CrossOrigin.answer(request);
            if (load.stopping) {
                closeAfterwards();
            }
            Optional<ContentCoding> coding =
                    length < ContentCoding.WORTHWHILE
                            ? Optional.empty()
                            : AcceptedCodings.preferred(
                                    request.getHeader(HttpHeaders.ACCEPT_ENCODING));
            if (coding.isEmpty()) {
                asItIs(status, body, length);
            } else if (length <= LARGE) {
                encoded(status, coding.get(), coding.get().encode(body, length));
            } else {
                onWorker(() -> coding.get().encode(body, length))
                        .onComplete(
                                result -> {
                                    if (result.succeeded()) {
                                        encoded(status, coding.get(), result.result());
                                    } else {
                                        // no worker is free
                                        asItIs(status, body, length);
                                    }
                                });
            }
        }

        private void asItIs(int status, byte[] body, int length) {
            response.putHeader(CRC_HEADER, crc(body, length));
            send(response, status, body, length);
        }

        private void encoded(int status, ContentCoding coding, byte[] body) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, coding.wireName())
                    .putHeader(CRC_HEADER, crc(body, body.length));
            send(response, status, body, body.length);
        }
    }
}
