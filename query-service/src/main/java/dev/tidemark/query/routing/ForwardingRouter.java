package dev.tidemark.query.routing;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.error.ThrottlingReason;
import dev.tidemark.model.item.Item;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.http.ErrorForm;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.PositionToken;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests to the internal port of the node that the cluster names. */
public final class ForwardingRouter implements PartitionRouter, AutoCloseable {

    /*
     * Sending again: a request is sent a few times at most, and never after its time is up. A read
     * is sent again after any retryable answer and any broken connection. A write is sent again
     * only if it certainly did nothing: no connection was made, or the other node answered
     * ServiceUnavailable, which it does before it appends anything; when it does not know what
     * became of a write it answers InternalServerError.
     *
     * The other node may have become this one meanwhile: its own internal port answers then.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(ForwardingRouter.class);
    private static final String API = "DynamoDB_20120810.";
    private static final String OWN = "Tidemark.";
    private static final String OWN_HEADERS = "x-tidemark-";
    private static final int TRIES = 3;
    private static final long PAUSE_MILLIS = 50;
    private static final Set<String> WRITES = Set.of("PutItem", "UpdateItem", "DeleteItem");
    private static final List<String> PASSED_ON =
            List.of(PositionToken.AFTER, Freshness.MAX_STALENESS, GENERATION);
    private static final Map<String, ApiError> ERRORS = errors();

    /** No connection: the request has not left this node. */
    private static final class NotSentException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotSentException(Throwable cause) {
            super("No connection to the node", cause);
        }
    }

    private final Vertx vertx;
    private final Cluster cluster;
    private final ForwardSettings settings;
    private final HttpClient client;

    public ForwardingRouter(Vertx vertx, Cluster cluster, ForwardSettings settings) {
        this.vertx = vertx;
        this.cluster = cluster;
        this.settings = settings;
        this.client =
                vertx.createHttpClient(
                        new HttpClientOptions()
                                .setConnectTimeout(
                                        Math.toIntExact(settings.connectTimeout().toMillis()))
                                .setTcpNoDelay(true)
                                .setKeepAlive(true),
                        new PoolOptions()
                                .setHttp1MaxSize(settings.connections())
                                .setMaxWaitQueueSize(settings.waiting()));
    }

    @Override
    public boolean isLocal(PartitionRef partition) {
        return cluster.isHere(partition) || cluster.owner(partition).isEmpty();
    }

    @Override
    public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        return attempt(partition, request, deadline, 1)
                .recover(failure -> Future.failedFuture(told(request, failure)))
                .toCompletionStage();
    }

    /** Closes the connections; requests under way fail. */
    @Override
    public void close() {
        client.close()
                .onFailure(
                        failure ->
                                LOGGER.atWarn()
                                        .setCause(failure)
                                        .log("connections to other nodes did not close"));
    }

    private Future<Reply> attempt(
            PartitionRef partition, Request request, long deadline, int number) {
        Optional<NodeAddress> owner = cluster.owner(partition);
        Future<Reply> answer =
                owner.isEmpty()
                        ? Future.failedFuture(noOwner())
                        : send(owner.get(), request, deadline);
        return answer.recover(
                failure -> {
                    if (number >= TRIES
                            || !mayBeSentAgain(request, failure)
                            || remainingMillis(deadline) <= 2 * PAUSE_MILLIS) {
                        return Future.failedFuture(failure);
                    }
                    return vertx.timer(PAUSE_MILLIS * number, TimeUnit.MILLISECONDS)
                            .compose(elapsed -> attempt(partition, request, deadline, number + 1));
                });
    }

    private Future<Reply> send(NodeAddress node, Request request, long deadline) {
        RequestOptions options =
                new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setHost(node.host())
                        .setPort(node.port())
                        .setURI("/")
                        .putHeader("Content-Type", "application/x-amz-json-1.0")
                        .putHeader("X-Amz-Target", target(request.operation()))
                        .putHeader(FORWARDED, settings.node());
        PASSED_ON.forEach(
                name -> request.header(name).ifPresent(value -> options.putHeader(name, value)));
        return client.request(options)
                .recover(failure -> Future.failedFuture(new NotSentException(failure)))
                .compose(connected -> exchange(connected, request))
                .timeout(Math.max(1, remainingMillis(deadline)), TimeUnit.MILLISECONDS);
    }

    private static Future<Reply> exchange(HttpClientRequest connected, Request request) {
        return connected
                .send(Buffer.buffer(request.body()))
                .compose(response -> response.body().compose(body -> answer(response, body)));
    }

    private static Future<Reply> answer(HttpClientResponse response, Buffer body) {
        if (response.statusCode() != 200) {
            return Future.failedFuture(failure(response.statusCode(), body.getBytes()));
        }
        Reply reply = Reply.of(body.getBytes());
        for (Map.Entry<String, String> header : response.headers()) {
            if (header.getKey().toLowerCase(Locale.ROOT).startsWith(OWN_HEADERS)) {
                reply = reply.withHeader(header.getKey(), header.getValue());
            }
        }
        return Future.succeededFuture(reply);
    }

    /** Returns what the other node answered as it would have been thrown there. */
    private static ApiException failure(int status, byte[] body) {
        try {
            JsonBody json = JsonBody.parse(body);
            Optional<ApiError> error =
                    json.string("__type").flatMap(name -> Optional.ofNullable(ERRORS.get(name)));
            if (error.isPresent()) {
                String text = json.string("message").or(() -> json.string("Message")).orElse("");
                return reason(error.get(), json)
                        .map(reason -> new ApiException(error.get(), text, reason))
                        .orElseGet(
                                () ->
                                        new ApiException(
                                                error.get(),
                                                text,
                                                json.item("Item").map(ForwardingRouter::item)));
            }
        } catch (ApiException e) {
            LOGGER.atDebug().setCause(e).log("another node's error can't be read");
        }
        LOGGER.atWarn().addKeyValue("status", status).log("another node answers no DynamoDB error");
        return unknown();
    }

    private static Optional<ThrottlingReason> reason(ApiError error, JsonBody json) {
        return json.objects(ErrorForm.reasonsName(error), "ThrottlingReason").stream()
                .flatMap(List::stream)
                .findFirst()
                .map(
                        reason ->
                                new ThrottlingReason(
                                        reason.string("reason").orElse(""),
                                        reason.string("resource").orElse("")));
    }

    private static Item item(JsonItem item) {
        return item.item();
    }

    private static boolean mayBeSentAgain(Request request, Throwable failure) {
        if (failure instanceof NotSentException) {
            return true;
        }
        if (failure instanceof ApiException answered) {
            return answered.error() == ApiError.SERVICE_UNAVAILABLE
                    || (answered.error() == ApiError.INTERNAL && isRead(request));
        }
        return isRead(request);
    }

    private static boolean isRead(Request request) {
        return !WRITES.contains(request.operation());
    }

    private static ApiException told(Request request, Throwable failure) {
        if (failure instanceof ApiException answered) {
            return answered;
        }
        LOGGER.atWarn()
                .setCause(failure)
                .addKeyValue("operation", request.operation())
                .log("another node did not answer");
        return isRead(request) || failure instanceof NotSentException
                ? new ApiException(
                        ApiError.SERVICE_UNAVAILABLE,
                        "The node that serves this partition does not answer; try again.")
                : unknown();
    }

    private static ApiException noOwner() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The partition is moving to another node; try again.");
    }

    private static ApiException unknown() {
        return new ApiException(
                ApiError.INTERNAL,
                "Another node did not complete the request; a write may have been applied or not.");
    }

    private static String target(String operation) {
        return operation.startsWith(OWN) ? operation : API + operation;
    }

    private static long remainingMillis(long deadline) {
        return TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }

    private static Map<String, ApiError> errors() {
        return Arrays.stream(ApiError.values())
                .collect(Collectors.toUnmodifiableMap(ApiError::wireName, error -> error));
    }
}
