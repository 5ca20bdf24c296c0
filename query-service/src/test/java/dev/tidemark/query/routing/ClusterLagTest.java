package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.catalog.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterLagTest {

    private static final GlobalIndex INDEX = Tables.index("by-severity", "severity");
    private static final TableDefinition TABLE = Tables.onDemand("readings", "aaaaaaaa", INDEX);
    private static final IndexId ID = new IndexId(TABLE.id(), INDEX.name(), 1);
    private static final long START = TABLE.createdAt().toEpochMilli() + 1_000_000;

    private final ProgressBoard board = new ProgressBoard();
    private final ClaimBook book = new ClaimBook(Duration.ofSeconds(3));
    private long now = START;
    private final ClusterLag lag = ClusterLag.of(board, book, () -> Instant.ofEpochMilli(now));
    private long offset;

    @Test
    void nothingIsKnownUntilEveryPartitionWasHeardOf() {
        openBase(0, 0);
        openIndex(0, 0, 0);
        hear(base(1, 0));

        assertThat(lag.lag(TABLE, INDEX)).isEmpty();

        hear(base(1, 0), index(1, 0, 0));
        assertThat(lag.lag(TABLE, INDEX)).contains(IndexLag.NONE);
    }

    @Test
    void changesAreCountedOverAllPartitionsWhereverTheyAre() {
        openBase(0, 10);
        openIndex(0, 10, 18);
        hear(base(1, 20), index(1, 7, 20));

        assertThat(lag.lag(TABLE, INDEX).map(IndexLag::changes)).contains(3L + 2L);
        assertThat(lag.byBasePartition(TABLE, INDEX).orElseThrow())
                .extracting(IndexLag::changes)
                .containsExactly(3L, 2L);
        assertThat(lag.byIndexPartition(TABLE, INDEX).orElseThrow())
                .extracting(IndexLag::changes)
                .containsExactly(2L, 3L);
    }

    @Test
    void theAgeOfAChangeElsewhereCountsFromWhenItWasNotYetThere() {
        openBase(0, 0);
        openIndex(0, 0, 5);
        hear(base(1, 5), index(1, 0, 5));
        now += 60_000;
        hear(base(1, 5), index(1, 0, 5));
        now += 250;
        hear(base(1, 6), index(1, 0, 5));
        now += 100;

        // an hour of rest is not held against the index: the change came within the last 350 ms
        assertThat(lag.lag(TABLE, INDEX)).contains(new IndexLag(1, Duration.ofMillis(350)));

        hear(base(1, 6), index(1, 0, 6));
        board.close(openIndex(0, 0, 6));
        assertThat(lag.lag(TABLE, INDEX)).contains(IndexLag.NONE);
    }

    @Test
    void anIndexThatIsOpenNowhereTrailsOnFromWhereItWas() {
        BaseProgress base = openBase(0, 0);
        openBase(1, 0);
        openIndex(0, 0, 0);
        IndexProgress stopped = openIndex(1, 0, 0);
        board.close(stopped);

        base.changed(1, START);
        now = START + 5_000;

        assertThat(lag.lag(TABLE, INDEX)).contains(new IndexLag(1, Duration.ofSeconds(5)));
    }

    @Test
    void whatANodeThatLeftHadSaidStillCounts() {
        openBase(0, 9);
        openIndex(0, 9, 0);
        hear(base(1, 0), index(1, 4, 0));

        book.left("other");

        assertThat(lag.lag(TABLE, INDEX).map(IndexLag::changes)).contains(5L);
    }

    private BaseProgress openBase(int partition, long sequence) {
        BaseProgress progress = new BaseProgress(TABLE.id(), partition, 0, sequence);
        board.open(progress);
        return progress;
    }

    private IndexProgress openIndex(int partition, long first, long second) {
        IndexProgress progress =
                new IndexProgress(ID, partition, new long[] {first, second}, new long[2]);
        board.open(progress);
        return progress;
    }

    private NodeClaim.BaseClaim base(int partition, long sequence) {
        return new NodeClaim.BaseClaim(
                new PartitionRef.OfTable(TABLE.id(), partition), sequence, now);
    }

    private static NodeClaim.IndexClaim index(int partition, long first, long second) {
        return new NodeClaim.IndexClaim(
                new PartitionRef.OfIndex(ID, partition), List.of(first, second), List.of(0L, 0L));
    }

    private void hear(NodeClaim.BaseClaim base, NodeClaim.IndexClaim... indexes) {
        book.heard(
                offset++,
                new NodeClaim(
                        new NodeAddress("other", "host", 1),
                        "boot",
                        Set.of(),
                        now,
                        List.of(base),
                        List.of(indexes),
                        List.of()),
                System.nanoTime());
    }
}
