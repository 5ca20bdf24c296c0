package dev.tidemark.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.TestTables;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReadIndexTest {

    private final TableDefinition table = TestTables.readings(2);
    private final ProgressBoard board = new ProgressBoard();
    private final BaseProgress progress = new BaseProgress(table.id(), 0, 5, 0);
    private final InMemoryTables log = new InMemoryTables();
    private CompletableFuture<Long> end = CompletableFuture.completedFuture(10L);

    private CompletableFuture<Position> read(Duration untilBarrier, Duration atMost) {
        return new ReadIndex(board, (topic, partition) -> end, log, untilBarrier, atMost)
                .current(table, 0)
                .toCompletableFuture();
    }

    @Test
    void aReadWaitsUntilThePartitionHasAppliedWhatTheLogHeld() {
        // Given
        board.open(progress);
        CompletableFuture<Position> read = read(Duration.ofHours(1), Duration.ofHours(1));
        assertThat(read).isNotDone();

        // When
        progress.appliedUpTo(9);
        boolean early = read.isDone();
        progress.appliedUpTo(10);

        // Then
        assertThat(early).isFalse();
        assertThat(read).isCompleted();
        assertThat(log.barriers()).isZero();
    }

    @Test
    void aReadOfAPartitionThatIsUpToDateDoesNotWait() {
        // Given
        board.open(progress);
        progress.appliedUpTo(10);

        // Then
        assertThat(read(Duration.ofHours(1), Duration.ofHours(1))).isCompleted();
    }

    @Test
    void aBarrierIsAppendedWhenTheEndIsNotReached() {
        // Given
        board.open(progress);

        // When
        CompletableFuture<Position> read = read(Duration.ofMillis(10), Duration.ofHours(1));

        // Then
        await().until(() -> log.barriers() == 1);
        assertThat(read).isNotDone();
        progress.appliedUpTo(11);
        assertThat(read).isCompleted();
    }

    @Test
    void aReadThatWaitsTooLongIsRefusedRetryably() {
        // Given
        board.open(progress);

        // Then
        assertRefused(read(Duration.ofHours(1), Duration.ofMillis(50)));
    }

    @Test
    void aReadOfAPartitionThatLeavesIsRefusedRetryably() {
        // Given
        board.open(progress);
        CompletableFuture<Position> read = read(Duration.ofHours(1), Duration.ofHours(1));

        // When
        board.close(progress);

        // Then
        assertRefused(read);
        assertRefused(read(Duration.ofHours(1), Duration.ofHours(1)));
    }

    @Test
    void aReadOfAPartitionThatIsNotHereIsRefusedRetryably() {
        assertRefused(read(Duration.ofHours(1), Duration.ofHours(1)));
    }

    @Test
    void aReadIsRefusedRetryablyWhenTheEndOfTheLogIsNotKnown() {
        // Given
        board.open(progress);
        end = CompletableFuture.failedFuture(Texts.noLogEnd());

        // Then
        assertRefused(read(Duration.ofHours(1), Duration.ofHours(1)));
    }

    private static void assertRefused(CompletableFuture<Position> read) {
        assertThatThrownBy(read::join)
                .hasCauseInstanceOf(ApiException.class)
                .cause()
                .satisfies(
                        cause ->
                                assertThat(((ApiException) cause).error())
                                        .isEqualTo(ApiError.SERVICE_UNAVAILABLE));
    }
}
