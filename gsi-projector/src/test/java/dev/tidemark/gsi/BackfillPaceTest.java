package dev.tidemark.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillPaceTest {

    private long now = 1_000;
    private long waits;
    private final BackfillPace pace = new BackfillPace(() -> now, this::park);

    @Test
    void withoutALimitNothingWaits() {
        take(100_000);

        assertThat(waits).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 100, 2_000, 1_000_000})
    void aLimitHoldsOverTime(long limit) {
        pace.limit(limit);
        long start = now;

        take((int) (3 * limit));

        assertThat(now - start)
                .isBetween(TimeUnit.MILLISECONDS.toNanos(2_900), TimeUnit.SECONDS.toNanos(3));
    }

    @Test
    void onlyABurstIsSavedUpWhileNothingComes() {
        pace.limit(1_000);
        now += TimeUnit.MINUTES.toNanos(1);
        long start = now;

        take(1_000);

        assertThat(now - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(950));
    }

    @Test
    void anotherLimitCountsAlsoForTheOneWhoWaits() {
        // Given
        BackfillPace[] made = new BackfillPace[1];
        made[0] =
                new BackfillPace(
                        () -> now,
                        nanos -> {
                            park(nanos);
                            made[0].limit(BackfillPace.UNLIMITED);
                        });
        made[0].limit(1);

        // When
        made[0].take();
        made[0].take();

        // Then
        assertThat(waits).isOne();
    }

    @Test
    void aLimitIsPositive() {
        assertThatThrownBy(() -> pace.limit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid pace: not positive");
    }

    private void take(int times) {
        for (int count = 0; count < times; count++) {
            pace.take();
        }
    }

    private void park(long nanos) {
        waits++;
        now += nanos;
    }
}
