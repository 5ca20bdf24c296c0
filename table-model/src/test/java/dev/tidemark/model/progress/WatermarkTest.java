package dev.tidemark.model.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WatermarkTest {

    @Test
    void whatIsReachedAlreadyCompletesAtOnce() {
        assertThat(new Watermark(5).reaches(5)).isCompletedWithValue(5L);
    }

    @Test
    void waitersCompleteWhenTheirTargetIsReachedAndNotBefore() {
        // Given
        Watermark mark = new Watermark(0);
        CompletableFuture<Long> three = mark.reaches(3);
        CompletableFuture<Long> seven = mark.reaches(7);

        // When
        mark.advance(4);

        // Then
        assertThat(three).isCompletedWithValue(4L);
        assertThat(seven).isNotDone();
    }

    @Test
    void aLowerValueIsIgnored() {
        Watermark mark = new Watermark(9);
        mark.advance(4);
        assertThat(mark.value()).isEqualTo(9);
    }

    @Test
    void closingFailsAllWhoWaitNowAndLater() {
        // Given
        Watermark mark = new Watermark(0);
        CompletableFuture<Long> before = mark.reaches(1);

        // When
        mark.close();

        // Then
        assertThatThrownBy(before::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PartitionMovedException.class);
        assertThat(mark.reaches(1)).isCompletedExceptionally();
        assertThat(mark.reaches(0)).isCompletedWithValue(0L);
    }

    @Test
    @Timeout(60)
    void noWakeUpIsLostBetweenThreads() throws Exception {
        Watermark mark = new Watermark(0);
        int last = 200_000;
        CountDownLatch started = new CountDownLatch(1);
        Thread writer =
                new Thread(
                        () -> {
                            started.countDown();
                            for (int value = 1; value <= last; value++) {
                                mark.advance(value);
                            }
                        });
        writer.start();
        started.await();
        List<CompletableFuture<Long>> waits = new ArrayList<>();
        for (int target = 1; target <= last; target += 37) {
            waits.add(mark.reaches(target));
        }
        writer.join();
        for (CompletableFuture<Long> wait : waits) {
            assertThat(wait.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }
}
