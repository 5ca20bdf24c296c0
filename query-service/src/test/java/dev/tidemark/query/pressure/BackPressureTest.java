package dev.tidemark.query.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.error.ThrottlingReason;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.catalog.Tables;
import dev.tidemark.query.routing.LagView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackPressureTest {

    private static final LagBound NODE =
            new LagBound(OptionalLong.of(100), Optional.of(Duration.ofSeconds(10)), true);

    private TableDefinition table = table(Map.of());
    private Optional<IndexLag> lag = Optional.of(IndexLag.NONE);
    private long nanos;
    private final BackPressure pressure =
            new BackPressure(
                    () -> List.of(table),
                    new OneLag(),
                    NODE,
                    (named, index) -> "arn/" + named.name() + "/" + index,
                    () -> nanos);

    @AfterEach
    void close() {
        pressure.close();
    }

    @Test
    void writesAreHeldBackWhileTheIndexIsFurtherBehindThanItMayBe() {
        behind(100, 1);
        assertThat(pressure.holdingBack(table.id())).isEmpty();

        behind(101, 1);
        assertThat(pressure.holdingBack(table.id()))
                .hasValueSatisfying(
                        late -> assertThat(late.index().value()).isEqualTo("by-severity"));

        behind(5, 1);
        assertThat(pressure.holdingBack(table.id())).isEmpty();
    }

    @Test
    void ageCountsFromWhenTheIndexWasLastAbreast() {
        behind(0, 0);
        nanos += TimeUnit.SECONDS.toNanos(3);
        behind(1, 1_000_000);
        assertThat(pressure.holdingBack(table.id())).isEmpty();

        nanos += TimeUnit.SECONDS.toNanos(8);
        behind(1, 1_000_000);

        assertThat(pressure.lateIndexes(table.id()))
                .extracting(late -> late.lag().age())
                .containsExactly(Duration.ofSeconds(11));
    }

    @Test
    void aTableMayBindItsIndexesOtherwise() {
        table = table(Map.of("tidemark:max-lag.by-severity", "3"));

        behind(4, 0);

        assertThat(pressure.holdingBack(table.id())).isPresent();
    }

    @Test
    void withThrottlingOffTheIndexOnlyCountsAsLate() {
        table = table(Map.of("tidemark:max-lag.by-severity", "off"));

        behind(101, 0);

        assertThat(pressure.holdingBack(table.id())).isEmpty();
        assertThat(pressure.lateIndexes(table.id()))
                .extracting(LateIndex::throttles)
                .containsExactly(false);
    }

    @Test
    void anIndexThatDoesNotServeHoldsNothingBack() {
        table =
                table.withGlobalIndexes(
                        table.globalIndexes().stream()
                                .map(index -> index.withStatus(IndexStatus.CREATING))
                                .toList());

        behind(1_000, 1_000);

        assertThat(pressure.lateIndexes(table.id())).isEmpty();
    }

    @Test
    void anIndexOfWhichNothingIsKnownHoldsNothingBack() {
        lag = Optional.empty();
        pressure.look();

        assertThat(pressure.lateIndexes(table.id())).isEmpty();
    }

    @Test
    void theRefusalNamesTheIndexInAmazonsFormForEachBillingMode() {
        behind(101, 2);
        LateIndex late = pressure.holdingBack(table.id()).orElseThrow();

        ApiException onDemand = pressure.refusal(table, late);
        ApiException provisioned =
                pressure.refusal(
                        table.withBilling(BillingMode.PROVISIONED, new Throughput(1, 1)), late);

        assertThat(onDemand.error()).isEqualTo(ApiError.THROTTLING);
        assertThat(onDemand.text()).contains("Index: by-severity, behind its table by 101 changes");
        assertThat(onDemand.throttlingReason())
                .contains(
                        new ThrottlingReason(
                                "IndexWriteKeyRangeThroughputExceeded",
                                "arn/readings/by-severity"));
        assertThat(provisioned.error()).isEqualTo(ApiError.THROUGHPUT_EXCEEDED);
        assertThat(provisioned.throttlingReason())
                .map(ThrottlingReason::reason)
                .contains("IndexWriteProvisionedThroughputExceeded");
    }

    @ParameterizedTest
    @CsvSource({
        "10000, 10000, ",
        "30s, , 30000",
        "250ms, , 250",
        "2m, , 120000",
        "10000/30s, 10000, 30000"
    })
    void aTagSaysChangesOrAgeOrBoth(String text, Long changes, Long millis) {
        assertThat(LagBound.parse(text, NODE))
                .contains(
                        new LagBound(
                                changes == null ? OptionalLong.empty() : OptionalLong.of(changes),
                                Optional.ofNullable(millis).map(Duration::ofMillis),
                                true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "0", "-1", "1/", "/1s", "10s/5", "1h", "on", "1 s", "1/2", "5s5s"})
    void anythingElseIsNoBound(String text) {
        assertThat(LagBound.parse(text, NODE)).isEmpty();
    }

    private void behind(long changes, long seconds) {
        lag = Optional.of(new IndexLag(changes, Duration.ofSeconds(seconds)));
        pressure.look();
    }

    private static TableDefinition table(Map<String, String> tags) {
        return Tables.onDemand(
                        "readings",
                        "aaaaaaaa",
                        Tables.index("by-severity", "severity").withStatus(IndexStatus.ACTIVE))
                .withTags(tags);
    }

    private final class OneLag implements LagView {

        @Override
        public Optional<IndexLag> lag(TableDefinition of, GlobalIndex index) {
            return lag;
        }

        @Override
        public Optional<List<IndexLag>> byBasePartition(TableDefinition of, GlobalIndex index) {
            return lag.map(List::of);
        }

        @Override
        public Optional<List<IndexLag>> byIndexPartition(TableDefinition of, GlobalIndex index) {
            return lag.map(List::of);
        }

        @Override
        public Optional<IndexLag> ofIndexPartition(
                TableDefinition of, GlobalIndex index, int partition) {
            return lag;
        }
    }
}
