package dev.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.catalog.Tables;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.query.routing.NodeAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackfillWatchTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final ProgressBoard board = new ProgressBoard();
    private final BackfillWatch watch =
            new BackfillWatch(Cluster.alone(new NodeAddress("node", "127.0.0.1", 0), board));

    @Test
    void whatIsProjectedIsToldWithItsRateAndHowLongTheRestWillTake() {
        // Given
        TableDefinition table = table(build(List.of(600L, 400L)));
        ProjectionProgress first = open(table, 0);
        ProjectionProgress second = open(table, 1);

        // When
        watch.look(List.of(table), 0);
        first.projectedUpTo(200, 200, 200, 0);
        second.projectedUpTo(300, 300, 300, 0);
        watch.look(List.of(table), TimeUnit.SECONDS.toNanos(2));

        // Then
        assertThat(watch.of(table, index(table)))
                .hasValueSatisfying(
                        backfill -> {
                            assertThat(backfill.done()).isEqualTo(500);
                            assertThat(backfill.percent()).isEqualTo(50);
                            assertThat(backfill.perSecond()).isEqualTo(250);
                            assertThat(backfill.remaining()).contains(Duration.ofSeconds(2));
                        });
    }

    @Test
    void whatComesAfterTheTargetDoesNotCountAndItIsWholeOnlyAtTheEnd() {
        TableDefinition table = table(build(List.of(10L, 10L)));
        open(table, 0).projectedUpTo(50, 50, 50, 0);
        open(table, 1).projectedUpTo(9, 9, 9, 0);
        assertThat(watch.of(table, index(table)))
                .hasValueSatisfying(half -> assertThat(half.percent()).isEqualTo(95));

        open(table, 1).projectedUpTo(10, 10, 10, 0);

        assertThat(watch.of(table, index(table)))
                .hasValueSatisfying(all -> assertThat(all.percent()).isEqualTo(99.9));
        GlobalIndex finished =
                index(table)
                        .withStatus(IndexStatus.ACTIVE)
                        .withBuild(build(List.of(10L, 10L)).finishedAt(START.plusSeconds(4)));
        assertThat(watch.of(table, finished))
                .hasValueSatisfying(
                        all -> {
                            assertThat(all.percent()).isEqualTo(100);
                            assertThat(all.perSecond()).isEqualTo(5);
                        });
    }

    @Test
    void nothingIsFinishedBeforeItIsKnownHowMuchThereIs() {
        TableDefinition table = table(build(List.of()));
        open(table, 0).projectedUpTo(5, 5, 5, 0);
        open(table, 1);

        assertThat(watch.of(table, index(table)))
                .hasValueSatisfying(
                        backfill -> {
                            assertThat(backfill.percent()).isZero();
                            assertThat(backfill.total()).isEmpty();
                            assertThat(backfill.remaining()).isEmpty();
                        });
    }

    @Test
    void whatRestsHasNoRate() {
        TableDefinition table = table(build(List.of(10L, 10L)).withPaused(true));
        ProjectionProgress first = open(table, 0);
        open(table, 1);
        watch.look(List.of(table), 0);
        first.projectedUpTo(5, 5, 5, 0);
        watch.look(List.of(table), TimeUnit.SECONDS.toNanos(1));

        assertThat(watch.of(table, index(table)))
                .hasValueSatisfying(
                        backfill -> {
                            assertThat(backfill.perSecond()).isZero();
                            assertThat(backfill.remaining()).isEmpty();
                        });
    }

    @Test
    void anIndexThatWasMadeWithItsTableNeedsNone() {
        TableDefinition table = table(IndexBuild.NONE);

        assertThat(watch.of(table, index(table))).isEmpty();
    }

    private ProjectionProgress open(TableDefinition table, int partition) {
        ProjectionProgress progress =
                new ProjectionProgress(
                        IndexId.of(table, index(table)), partition, ProjectionCounts.NONE);
        board.open(progress);
        return progress;
    }

    private static IndexBuild build(List<Long> target) {
        return IndexBuild.startedAt(START).withTarget(target);
    }

    private static TableDefinition table(IndexBuild build) {
        TableDefinition plain = Tables.onDemand("readings", "aaaaaaaa");
        GlobalIndex index =
                new GlobalIndex(
                        new IndexName("late"),
                        1,
                        KeySchema.simple(new KeyAttribute("a", KeyType.S)),
                        new Projection.All(),
                        Throughput.NONE,
                        IndexStatus.CREATING,
                        CapacityOptions.NONE,
                        build);
        return plain.withGlobalIndexes(List.of(index));
    }

    private static GlobalIndex index(TableDefinition table) {
        return table.globalIndexes().get(0);
    }
}
