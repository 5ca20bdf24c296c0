package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimBookTest {

    private static final TableId TABLE = new TableId("aaaaaaaa");
    private static final IndexId INDEX = new IndexId(TABLE, new IndexName("by-severity"), 2);
    private static final ProjectionCounts COUNTS =
            new ProjectionCounts(100, 90, OptionalLong.of(70), 3, true);
    private static final long SECOND = 1_000_000_000L;

    private final ClaimBook book = new ClaimBook(Duration.ofSeconds(3));

    @Test
    void theNodeThatClaimsAPartitionOwnsIt() {
        book.heard(1, claim("one", "boot", 0, 1), 0);

        assertThat(book.owner(base(0), SECOND)).contains(address("one"));
        assertThat(book.owner(base(2), SECOND)).isEmpty();
        assertThat(book.nodes(SECOND)).containsExactly(address("one"));
    }

    @Test
    void theOneThatCameToHaveItLastOwnsItHoweverOftenTheOtherRepeats() {
        book.heard(1, claim("one", "boot", 0), 0);
        book.heard(2, claim("two", "boot", 0), 0);

        book.heard(3, claim("one", "boot", 0), 0);
        book.heard(4, claim("one", "boot", 0, 1), 0);

        assertThat(book.owner(base(0), SECOND)).contains(address("two"));
        assertThat(book.owner(base(1), SECOND)).contains(address("one"));
    }

    @Test
    void aNodeThatGaveAPartitionUpAndGotItBackIsTheLast() {
        book.heard(1, claim("one", "boot", 0), 0);
        book.heard(2, claim("two", "boot", 0), 0);

        book.heard(3, claim("one", "boot"), 0);
        book.heard(4, claim("one", "boot", 0), 0);

        assertThat(book.owner(base(0), SECOND)).contains(address("one"));
    }

    @Test
    void aNodeThatStartedAgainClaimsAnew() {
        book.heard(1, claim("one", "first", 0), 0);
        book.heard(2, claim("two", "boot", 0), 0);

        book.heard(3, claim("one", "second", 0), 0);

        assertThat(book.owner(base(0), SECOND)).contains(address("one"));
    }

    @Test
    void aNodeNotHeardOfLongEnoughDoesNotCount() {
        book.heard(1, claim("one", "boot", 0), 0);
        book.heard(2, claim("two", "boot", 1), 0);

        book.heard(3, claim("two", "boot", 1), 2 * SECOND);

        assertThat(book.owner(base(0), 3 * SECOND)).contains(address("one"));
        assertThat(book.owner(base(0), 3 * SECOND + 1)).isEmpty();
        assertThat(book.owner(base(1), 3 * SECOND + 1)).contains(address("two"));
        assertThat(book.nodes(3 * SECOND + 1)).containsExactly(address("two"));
        assertThat(book.anyClaimed(base(0)::equals, 3 * SECOND + 1)).isFalse();
    }

    @Test
    void whatWasSaidBeforeCountsOnceItIsSaidAgain() {
        book.replayed(1, claim("one", "boot", 0));
        assertThat(book.owner(base(0), 0)).isEmpty();

        book.heard(2, claim("one", "boot", 0), 0);

        assertThat(book.owner(base(0), 0)).contains(address("one"));
    }

    @Test
    void aNodeThatLeftIsGoneAtOnceButNotHowFarItWas() {
        book.heard(1, claim("one", "boot", 0), 0);

        book.left("one");

        assertThat(book.nodes(0)).isEmpty();
        assertThat(book.owner(base(0), 0)).isEmpty();
        assertThat(book.history(base(0)).map(BaseHistory::sequence)).contains(100L);
        assertThat(book.lastSaid(index(0))).isPresent();

        book.forget(TABLE);
        assertThat(book.history(base(0))).isEmpty();
        assertThat(book.lastSaid(index(0))).isEmpty();
    }

    @Test
    void aClaimReadsBackAsItWasWritten() {
        NodeClaim claim = claim("one", "boot", 0, 3);

        assertThat(NodeClaim.parse(claim.toBytes())).isEqualTo(claim);
    }

    @Test
    void whatBecameOfChangesIsToldByTheNodeThatProjectsThem() {
        PartitionRef.OfProjection projection = new PartitionRef.OfProjection(INDEX, 0);
        book.heard(1, claim("one", "boot", 0), 0);

        assertThat(book.projection(projection, SECOND).map(NodeClaim.ProjectionClaim::counts))
                .contains(COUNTS);
        assertThat(book.owner(projection, SECOND)).contains(address("one"));
        assertThat(book.projection(new PartitionRef.OfProjection(INDEX, 1), SECOND)).isEmpty();
    }

    @Test
    void aClaimOfAVersionThatDoesNotTellOfProjectionsReads() {
        String written = new String(claim("one", "boot").toBytes(), StandardCharsets.UTF_8);
        String older = written.replace(",\"projections\":[]", "");

        assertThat(older).isNotEqualTo(written);
        assertThat(NodeClaim.parse(older.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(claim("one", "boot"));
    }

    static PartitionRef.OfTable base(int partition) {
        return new PartitionRef.OfTable(TABLE, partition);
    }

    static PartitionRef.OfIndex index(int partition) {
        return new PartitionRef.OfIndex(INDEX, partition);
    }

    private static NodeAddress address(String node) {
        return new NodeAddress(node, "host-" + node, 8001);
    }

    private static NodeClaim claim(String node, String boot, int... partitions) {
        return new NodeClaim(
                address(node),
                boot,
                Set.of("base", "gsi"),
                1_700_000_000_000L,
                IntStream.of(partitions)
                        .mapToObj(at -> new NodeClaim.BaseClaim(base(at), 100 + at, 17))
                        .toList(),
                IntStream.of(partitions)
                        .mapToObj(
                                at ->
                                        new NodeClaim.IndexClaim(
                                                index(at), List.of(90L, 95L), List.of(5L, 0L)))
                        .toList(),
                IntStream.of(partitions)
                        .mapToObj(
                                at ->
                                        new NodeClaim.ProjectionClaim(
                                                new PartitionRef.OfProjection(INDEX, at), COUNTS))
                        .toList());
    }
}
