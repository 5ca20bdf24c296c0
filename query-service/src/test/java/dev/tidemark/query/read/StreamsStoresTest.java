package dev.tidemark.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.read.PartitionStores.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.query.FailureReason;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store that can't be read for certain is never taken for an empty one, though the engine says
 * that it is: that a partition is open is told by its task, on the board, before and after.
 */
class StreamsStoresTest {

    private static final TableId TABLE = new TableId("abcdefgh");
    private static final IndexId INDEX = new IndexId(TABLE, new IndexName("gsi"), 1);
    private static final byte[] KEY = {1};
    private static final KeySpan SPAN = KeySpan.between(new byte[] {1}, new byte[] {9});

    private static FakeStreams streams;

    private final ProgressBoard board = new ProgressBoard();
    private boolean running = true;
    private final StreamsStores stores =
            new StreamsStores(
                    new StreamsDirectory() {
                        @Override
                        public Optional<KafkaStreams> base(TableId table) {
                            return Optional.<KafkaStreams>of(streams).filter(any -> running);
                        }

                        @Override
                        public Optional<KafkaStreams> index(IndexId index) {
                            return Optional.<KafkaStreams>of(streams).filter(any -> running);
                        }
                    },
                    board);

    /** Costs clients of Kafka, which are never used. */
    @BeforeAll
    static void make() {
        streams = new FakeStreams();
    }

    @AfterAll
    static void close() {
        streams.close(Duration.ZERO);
    }

    static Stream<StoreRef> stores() {
        return Stream.of(
                new StoreRef.Items(TABLE, 3),
                new StoreRef.LocalEntries(TABLE, 3),
                new StoreRef.GlobalEntries(INDEX, 3));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anOpenPartitionThatIsEmptyIsEmpty(StoreRef store) {
        streams.reset();
        open(store);

        assertThat(stores.get(store, KEY)).isEmpty();
        assertThat(visited(store, Direction.FORWARD)).isEmpty();
        assertThat(visited(store, Direction.REVERSE)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aPartitionThatWasNeverOpenHereIsNotEmptyButNotHere(StoreRef store) {
        streams.reset();

        assertNotHere(() -> stores.get(store, KEY));
        assertNotHere(() -> visited(store, Direction.FORWARD));
        assertNotHere(
                () -> stores.visit(store, nothing(), Direction.FORWARD, (key, value) -> true));
        assertThat(streams.queries()).isZero();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aPartitionThatHasLeftIsNotEmptyButNotHere(StoreRef store) {
        streams.reset();
        open(store).run();

        assertNotHere(() -> stores.get(store, KEY));
        assertNotHere(() -> visited(store, Direction.REVERSE));
        assertNotHere(
                () -> stores.visit(store, nothing(), Direction.FORWARD, (key, value) -> true));
        assertThat(streams.queries()).isZero();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aPartitionThatLeavesWhileItsStoreIsAskedIsNotEmptyButNotHere(StoreRef store) {
        streams.reset();
        streams.onAnswer(open(store));
        assertNotHere(() -> stores.get(store, KEY));

        streams.reset();
        streams.onAnswer(open(store));
        assertNotHere(() -> visited(store, Direction.FORWARD));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aPartitionThatLeavesWhileItsEntriesAreReadIsNotAtItsEndButNotHere(StoreRef store) {
        streams.reset();
        streams.onEntries(open(store));

        assertNotHere(() -> visited(store, Direction.FORWARD));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aPartitionThatMovedAwayAndBackWhileItWasReadIsNotHere(StoreRef store) {
        streams.reset();
        Runnable leave = open(store);
        streams.onAnswer(
                () -> {
                    leave.run();
                    open(store);
                });

        assertNotHere(() -> stores.get(store, KEY));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aStoreTheEngineDoesNotYetLetOthersReadIsWaitedFor(StoreRef store) {
        streams.reset();
        open(store);
        streams.refuse(FailureReason.NOT_ACTIVE, FailureReason.NOT_PRESENT);

        assertThat(stores.get(store, KEY)).isEmpty();
        assertThat(streams.queries()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aStoreThatNoEngineHoldsIsNotEmptyButNotHere(StoreRef store) {
        streams.reset();
        open(store);
        running = false;

        assertNotHere(() -> stores.get(store, KEY));
    }

    /** Opens the partition and returns what closes it. */
    private Runnable open(StoreRef store) {
        if (store instanceof StoreRef.GlobalEntries) {
            IndexProgress progress =
                    new IndexProgress(INDEX, store.partition(), new long[1], new long[1]);
            board.open(progress);
            return () -> board.close(progress);
        }
        BaseProgress progress = new BaseProgress(TABLE, store.partition(), 0, 0);
        board.open(progress);
        return () -> board.close(progress);
    }

    private List<byte[]> visited(StoreRef store, Direction direction) {
        List<byte[]> keys = new ArrayList<>();
        stores.visit(store, SPAN, direction, (key, value) -> keys.add(key));
        return keys;
    }

    private static KeySpan nothing() {
        return KeySpan.between(KEY, KEY);
    }

    private static void assertNotHere(ThrowingCallable read) {
        assertThatThrownBy(read)
                .isInstanceOf(ApiException.class)
                .hasMessage(
                        "The partition is moving or restoring and can't be read now; try again.")
                .satisfies(
                        failure -> {
                            ApiError error = ((ApiException) failure).error();
                            assertThat(error).isEqualTo(ApiError.SERVICE_UNAVAILABLE);
                            assertThat(error.isRetryable()).isTrue();
                        });
    }
}
