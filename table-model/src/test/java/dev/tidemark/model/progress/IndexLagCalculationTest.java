package dev.tidemark.model.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guarantee 6: lag is exact, never negative, never unknown. */
class IndexLagCalculationTest {

    private static final TableId ID = new TableId("abcdefgh");
    private static final GlobalIndex INDEX =
            new GlobalIndex(
                    new IndexName("by-place"),
                    1,
                    KeySchema.simple(new KeyAttribute("place", KeyType.S)),
                    new Projection.All(),
                    Throughput.NONE,
                    IndexStatus.ACTIVE);
    private static final IndexId INDEX_ID = new IndexId(ID, INDEX.name(), 1);
    private static final Instant CREATED = Instant.ofEpochMilli(1_000);
    private static final TableDefinition TABLE =
            new TableDefinition(
                    new TableName("readings"),
                    ID,
                    KeySchema.simple(new KeyAttribute("id", KeyType.S)),
                    List.of(),
                    List.of(INDEX),
                    2,
                    BillingMode.PAY_PER_REQUEST,
                    Throughput.NONE,
                    Map.of(),
                    false,
                    CREATED,
                    TableStatus.ACTIVE);

    private Instant now = Instant.ofEpochMilli(100_000);
    private final ProgressBoard board = new ProgressBoard();
    private final IndexLagCalculation calculation = new IndexLagCalculation(board, () -> now);

    @Test
    void lagIsWhatTheLowestTidemarkLacksAndTheAgeOfTheOldestMissingChange() {
        // Given
        BaseProgress base = base(0, 0);
        base(1, 0);
        IndexProgress first = index(0, new long[] {0, 0}, new long[] {0, 0});
        IndexProgress second = index(1, new long[] {0, 0}, new long[] {0, 0});
        for (int sequence = 1; sequence <= 10; sequence++) {
            base.changed(sequence, 90_000 + sequence * 100);
        }

        // When
        first.appliedUpTo(0, 10, 91_000);
        second.appliedUpTo(0, 7, 90_700);

        // Then
        IndexLag expected = new IndexLag(3, Duration.ofMillis(100_000 - 90_800));
        assertThat(calculation.ofBasePartition(TABLE, INDEX, 0)).contains(expected);
        assertThat(calculation.ofBasePartition(TABLE, INDEX, 1)).contains(IndexLag.NONE);
        assertThat(calculation.ofIndex(TABLE, INDEX)).contains(expected);
        assertThat(calculation.ofIndexPartition(TABLE, INDEX, 0)).contains(IndexLag.NONE);
        assertThat(calculation.ofIndexPartition(TABLE, INDEX, 1)).contains(expected);
    }

    @Test
    void lagOfSeveralTablePartitionsAddsChangesAndTakesTheHighestAge() {
        // Given
        BaseProgress first = base(0, 0);
        BaseProgress second = base(1, 0);
        index(0, new long[] {0, 0}, new long[] {0, 0});
        index(1, new long[] {0, 0}, new long[] {0, 0});

        // When
        first.changed(1, 99_000);
        second.changed(1, 98_000);
        second.changed(2, 98_500);

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX))
                .contains(new IndexLag(3, Duration.ofSeconds(2)));
    }

    @Test
    void caughtUpIsZeroHoweverLongAgoTheLastChangeHappened() {
        // Given
        base(0, 0).changed(1, 2_000);
        base(1, 0);
        index(0, new long[] {1, 0}, new long[] {2_000, 0});
        index(1, new long[] {1, 0}, new long[] {2_000, 0});

        // When
        now = Instant.ofEpochMilli(Long.MAX_VALUE / 2);

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX)).contains(IndexLag.NONE);
    }

    @Test
    void tableRestartedBehindItsIndexIsNotNegativeLag() {
        // Given a tidemark of changes the table made, lost uncommitted, and will make again
        BaseProgress base = base(0, 90);
        base(1, 0);
        index(0, new long[] {100, 0}, new long[] {99_000, 0});
        index(1, new long[] {100, 0}, new long[] {99_000, 0});

        // When
        base.changed(91, 98_000);

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX)).contains(IndexLag.NONE);
    }

    @Test
    void forgottenTimeOfTheMissingChangeIsReplacedByThatOfTheTidemark() {
        // Given a table that restarted at 50 and has forgotten the times of its changes
        base(0, 50);
        base(1, 0);

        // When
        index(0, new long[] {40, 0}, new long[] {95_000, 0});
        index(1, new long[] {50, 0}, new long[] {97_000, 0});

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX))
                .contains(new IndexLag(10, Duration.ofSeconds(5)));
    }

    @Test
    void forgottenTimeWithNothingAppliedIsReplacedByTheCreationOfTheTable() {
        // Given
        base(0, 50);
        base(1, 0);

        // When
        index(0, new long[] {0, 0}, new long[] {0, 0});
        index(1, new long[] {50, 0}, new long[] {97_000, 0});

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX))
                .contains(new IndexLag(50, Duration.ofSeconds(99)));
    }

    @Test
    void moreChangesBehindThanAreRememberedStillHasAnAge() {
        // Given
        BaseProgress base = base(0, 0);
        base(1, 0);
        index(0, new long[] {5, 0}, new long[] {60_000, 0});
        index(1, new long[] {5, 0}, new long[] {60_000, 0});

        // When
        int changes = BaseProgress.REMEMBERED + 100;
        for (int sequence = 1; sequence <= changes; sequence++) {
            base.changed(sequence, 99_000);
        }

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX))
                .contains(new IndexLag(changes - 5, Duration.ofSeconds(40)));
    }

    @Test
    void changeFromTheFutureHasNoAge() {
        // Given
        base(0, 0).changed(1, 500_000);
        base(1, 0);

        // When
        index(0, new long[] {0, 0}, new long[] {0, 0});
        index(1, new long[] {0, 0}, new long[] {0, 0});

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX)).contains(new IndexLag(1, Duration.ZERO));
    }

    @Test
    void closedPartitionsCountWithTheirLastTidemarks() {
        // Given
        BaseProgress base = base(0, 0);
        base(1, 0);
        IndexProgress first = index(0, new long[] {0, 0}, new long[] {0, 0});
        IndexProgress second = index(1, new long[] {0, 0}, new long[] {0, 0});
        base.changed(1, 99_000);
        first.appliedUpTo(0, 1, 99_000);
        second.appliedUpTo(0, 1, 99_000);
        base.changed(2, 99_500);

        // When
        board.close(first);
        board.close(second);
        board.close(base);

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX))
                .contains(new IndexLag(1, Duration.ofMillis(500)));
    }

    @Test
    void unknownPartitionsGiveNoAnswerRatherThanAWrongOne() {
        // Given
        base(0, 3);

        // When
        index(0, new long[] {3, 0}, new long[] {99_000, 0});

        // Then
        assertThat(calculation.ofIndex(TABLE, INDEX)).isEmpty();
        assertThat(calculation.ofBasePartition(TABLE, INDEX, 0)).isEmpty();
        assertThat(calculation.ofIndexPartition(TABLE, INDEX, 0)).isEmpty();
        assertThat(calculation.ofIndexPartition(TABLE, INDEX, 1)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lagIsNeverNegativeAndAgreesWithASimpleCount(long seed) {
        Random random = new Random(seed);
        BaseProgress base = base(0, random.nextInt(50));
        IndexProgress first = index(0, new long[] {0, 0}, new long[] {0, 0});
        IndexProgress second = index(1, new long[] {0, 0}, new long[] {0, 0});
        long[] applied = new long[2];
        long sequence = base.sequence().value();
        for (int step = 0; step < 5_000; step++) {
            if (random.nextBoolean()) {
                sequence++;
                base.changed(sequence, random.nextInt(200_000));
            } else {
                int which = random.nextInt(2);
                applied[which] = Math.min(sequence + 3, applied[which] + random.nextInt(4));
                (which == 0 ? first : second).appliedUpTo(0, applied[which], 70_000);
            }
            IndexLag lag = IndexLagCalculation.between(base, List.of(first, second), CREATED, now);
            long missing = Math.max(0, sequence - Math.min(applied[0], applied[1]));
            assertThat(lag.changes()).isEqualTo(missing);
            assertThat(lag.age()).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(missing > 0 || lag.age().isZero()).isTrue();
        }
    }

    private BaseProgress base(int partition, long sequence) {
        BaseProgress progress = new BaseProgress(ID, partition, 0, sequence);
        board.open(progress);
        return progress;
    }

    private IndexProgress index(int partition, long[] sequences, long[] times) {
        IndexProgress progress = new IndexProgress(INDEX_ID, partition, sequences, times);
        board.open(progress);
        return progress;
    }
}
