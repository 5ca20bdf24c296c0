package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.HttpFrontEnd;
import dev.tidemark.query.http.HttpSettings;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.OperationRegistry;
import dev.tidemark.query.http.Pages;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.http.RequestObserver;
import dev.tidemark.query.http.WorkerPool;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingRouterTest {

    private static final TableId TABLE = new TableId("aaaaaaaa");
    private static final PartitionRef PARTITION = new PartitionRef.OfTable(TABLE, 0);

    private final Vertx vertx = HttpFrontEnd.vertx(1);
    private final WorkerPool workers = new WorkerPool(1, 10);
    private final AtomicInteger received = new AtomicInteger();
    private final ProgressBoard board = new ProgressBoard();
    private final FixedOwner cluster = new FixedOwner();
    private final ForwardingRouter router =
            new ForwardingRouter(
                    vertx, cluster, ForwardSettings.of("here").withTimeout(Duration.ofSeconds(2)));
    private volatile Operation operation = request -> fail(ApiError.INTERNAL);
    private HttpFrontEnd other = frontEnd();

    /** A cluster whose one remote owner is told to it. */
    private final class FixedOwner extends DelegatingCluster {

        private volatile Optional<NodeAddress> owner = Optional.empty();

        FixedOwner() {
            super(Cluster.alone(new NodeAddress("here", "localhost", 0), board));
        }

        @Override
        public Optional<NodeAddress> owner(PartitionRef partition) {
            return isHere(partition) ? super.owner(partition) : owner;
        }
    }

    @BeforeEach
    void startTheOtherNode() {
        int port = other.start().toCompletableFuture().join();
        cluster.owner = Optional.of(new NodeAddress("other", "127.0.0.1", port));
    }

    @AfterEach
    void stop() {
        router.close();
        other.stop().toCompletableFuture().join();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        workers.close();
    }

    @Test
    void aPartitionIsLocalWhileItIsHereOrNobodyElseHasIt() {
        assertThat(router.isLocal(PARTITION)).isFalse();

        board.open(new BaseProgress(TABLE, 0, 0, 0));
        assertThat(router.isLocal(PARTITION)).isTrue();

        cluster.owner = Optional.empty();
        assertThat(router.isLocal(new PartitionRef.OfTable(TABLE, 1))).isTrue();
    }

    @Test
    void aRequestArrivesWholeWithItsMarkAndTheReplyComesBackWithOurHeaders() {
        operation =
                request ->
                        CompletableFuture.completedFuture(
                                Reply.of(
                                                text(
                                                        request.operation()
                                                                + request.header(
                                                                        PartitionRouter.FORWARDED)
                                                                + request.header("x-tidemark-after")
                                                                + new String(
                                                                        request.body(),
                                                                        StandardCharsets.UTF_8)))
                                        .withHeader("x-tidemark-position", "readings:0:7"));

        Reply reply =
                router.forward(
                                PARTITION,
                                new Request(
                                        "GetItem",
                                        text("{\"TableName\":\"ü\"}"),
                                        Headers.of(Map.of("X-Tidemark-After", "readings:0:5"))))
                        .toCompletableFuture()
                        .join();

        assertThat(new String(reply.body(), 0, reply.length(), StandardCharsets.UTF_8))
                .isEqualTo("GetItemOptional[here]Optional[readings:0:5]{\"TableName\":\"ü\"}");
        assertThat(reply.headers()).containsEntry("x-tidemark-position", "readings:0:7");
    }

    @Test
    void anOperationOfOurOwnIsSentUnderItsOwnName() {
        operation =
                request -> CompletableFuture.completedFuture(Reply.of(text(request.operation())));

        Reply reply = send("Tidemark.ScanPartition").join();

        assertThat(new String(reply.body(), 0, reply.length(), StandardCharsets.UTF_8))
                .isEqualTo("Tidemark.ScanPartition");
    }

    @Test
    void anErrorComesBackAsItWasWithItsItem() {
        Item item = new Item(Map.of("pk", new AttributeValue.S("a")));
        operation =
                request ->
                        CompletableFuture.failedFuture(
                                new ApiException(
                                        ApiError.CONDITION_FAILED, "no", Optional.of(item)));

        assertThatThrownBy(() -> send("PutItem").join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> {
                            assertThat(e.error()).isEqualTo(ApiError.CONDITION_FAILED);
                            assertThat(e.text()).isEqualTo("no");
                            assertThat(e.item()).contains(item);
                        });
        assertThat(received).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PutItem", "GetItem"})
    void whatDidNothingIsSentAgain(String name) {
        operation =
                request ->
                        received.get() < 2
                                ? fail(ApiError.SERVICE_UNAVAILABLE)
                                : CompletableFuture.completedFuture(Reply.of(text("{}")));

        send(name).join();

        assertThat(received).hasValue(2);
    }

    @Test
    void aWriteWhoseOutcomeIsNotKnownIsNotSentAgain() {
        operation = request -> fail(ApiError.INTERNAL);

        assertFails("UpdateItem", ApiError.INTERNAL);

        assertThat(received).hasValue(1);
    }

    @Test
    void aReadThatFailedIsSentAgainAFewTimes() {
        operation = request -> fail(ApiError.INTERNAL);

        assertFails("Query", ApiError.INTERNAL);

        assertThat(received).hasValue(3);
    }

    @Test
    void anAnswerThatDoesNotComeIsGivenUp() {
        operation = request -> new CompletableFuture<>();

        assertFails("PutItem", ApiError.INTERNAL);
        assertFails("GetItem", ApiError.SERVICE_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PutItem", "GetItem"})
    void aNodeThatIsGoneLeavesARetryableError(String name) throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            cluster.owner = Optional.of(new NodeAddress("gone", "127.0.0.1", taken.getLocalPort()));
        }

        assertFails(name, ApiError.SERVICE_UNAVAILABLE);
    }

    @Test
    void aPartitionThatNobodyHasLeavesARetryableError() {
        cluster.owner = Optional.empty();

        assertFails("PutItem", ApiError.SERVICE_UNAVAILABLE);
    }

    private void assertFails(String name, ApiError error) {
        assertThatThrownBy(() -> send(name).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    private CompletableFuture<Reply> send(String name) {
        return router.forward(PARTITION, new Request(name, text("{}"), Headers.NONE))
                .toCompletableFuture();
    }

    private HttpFrontEnd frontEnd() {
        Operation counted =
                request -> {
                    received.incrementAndGet();
                    return operation.execute(request);
                };
        return new HttpFrontEnd(
                vertx,
                new HttpSettings(
                        "127.0.0.1",
                        0,
                        "here-1",
                        true,
                        1,
                        100,
                        1 << 20,
                        Duration.ofSeconds(30),
                        Duration.ofMillis(100)),
                new OperationRegistry(
                        Map.of(
                                "GetItem", counted,
                                "PutItem", counted,
                                "UpdateItem", counted,
                                "Query", counted,
                                "Tidemark.ScanPartition", counted)),
                workers,
                Pages.NONE,
                RequestObserver.NONE);
    }

    private static CompletableFuture<Reply> fail(ApiError error) {
        return CompletableFuture.failedFuture(new ApiException(error, "no"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A cluster that says what another says. */
    private abstract static class DelegatingCluster implements Cluster {

        private final Cluster delegate;

        DelegatingCluster(Cluster delegate) {
            this.delegate = delegate;
        }

        @Override
        public boolean isHere(PartitionRef partition) {
            return delegate.isHere(partition);
        }

        @Override
        public Optional<NodeAddress> owner(PartitionRef partition) {
            return delegate.owner(partition);
        }

        @Override
        public List<NodeAddress> nodes() {
            return delegate.nodes();
        }

        @Override
        public boolean leads() {
            return delegate.leads();
        }

        @Override
        public boolean isOpen(TableDefinition table) {
            return delegate.isOpen(table);
        }

        @Override
        public boolean isOpen(TableDefinition table, GlobalIndex index) {
            return delegate.isOpen(table, index);
        }

        @Override
        public boolean isHeld(TableId table) {
            return delegate.isHeld(table);
        }

        @Override
        public boolean isHeld(IndexId index) {
            return delegate.isHeld(index);
        }

        @Override
        public Optional<List<Long>> sequences(TableDefinition table) {
            return delegate.sequences(table);
        }

        @Override
        public Optional<List<Long>> tidemarks(TableDefinition table, GlobalIndex index) {
            return delegate.tidemarks(table, index);
        }

        @Override
        public Optional<List<ProjectionCounts>> projections(
                TableDefinition table, GlobalIndex index) {
            return delegate.projections(table, index);
        }

        @Override
        public void addListener(ProgressBoard.Listener listener) {
            delegate.addListener(listener);
        }

        @Override
        public void forget(TableId table) {
            delegate.forget(table);
        }

        @Override
        public void forget(IndexId index) {
            delegate.forget(index);
        }
    }
}
