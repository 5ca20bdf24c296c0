package dev.tidemark.query.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExpirySweepTest {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final long START = 1_800_000_000;

    private final InMemoryTables tables = new InMemoryTables();
    private final List<TableId> expired = new ArrayList<>();
    private final CountingLog log = new CountingLog();
    private TableDefinition table = expiring(TestTables.simple(), Optional.of("end"));
    private Instant now = Instant.ofEpochSecond(START);

    private final ExpirySweep sweep =
            new ExpirySweep(
                    () -> List.of(table),
                    tables.board(),
                    tables,
                    log,
                    () -> now,
                    INTERVAL,
                    expired::add);

    @AfterEach
    void close() {
        sweep.close();
    }

    @Test
    void removesWhatIsOverAndNothingElse() {
        define();
        put("over", START - 1);
        put("later", START + 1);
        tables.append(table, putOf(Map.of("id", text("none"))));
        tables.append(table, putOf(Map.of("id", text("wrong"), "end", text("1700000000"))));

        sweep.beat();

        assertThat(log.expired).containsExactly("over");
        assertThat(expired).containsExactly(table.id());
    }

    @Test
    void looksAgainAfterTheInterval() {
        define();
        sweep.beat();
        put("over", START + 5);

        after(INTERVAL.minusMillis(1));
        sweep.beat();
        assertThat(log.expired).isEmpty();

        after(Duration.ofMillis(1));
        sweep.beat();
        assertThat(log.expired).containsExactly("over");
    }

    @Test
    void aTableWhoseItemsDoNotExpireIsNotRead() {
        table = TestTables.simple();
        define();
        put("over", START - 1);

        sweep.beat();

        assertThat(log.expired).isEmpty();
    }

    @Test
    void aLargePartitionTakesSeveralBeatsAndIsReadToItsEnd() {
        define();
        for (int number = 0; number < 12_000; number++) {
            put("item " + number, number % 100 == 0 ? START - 1 : START + 1_000);
        }

        sweep.beat();
        assertThat(log.expired).hasSizeBetween(1, 100);
        sweep.beat();
        sweep.beat();

        assertThat(log.expired).hasSize(120).doesNotHaveDuplicates();
    }

    @Test
    void readsNoFurtherWhileManyCommandsAreOnTheirWay() {
        define();
        for (int number = 0; number < 2_000; number++) {
            put("item " + number, START - 1);
        }
        log.answers = false;

        sweep.beat();
        sweep.beat();
        assertThat(log.expired).hasSize(500);

        log.answers = true;
        log.answer();
        for (int beat = 0; beat < 4; beat++) {
            sweep.beat();
        }
        assertThat(log.expired).hasSize(2_000).doesNotHaveDuplicates();
    }

    @Test
    void aCommandThatFailedIsSentAgainInTheNextRound() {
        define();
        put("over", START - 1);
        log.failure = Optional.of(new ApiException(ApiError.THROTTLING, "full"));
        sweep.beat();

        log.failure = Optional.empty();
        after(INTERVAL);
        sweep.beat();

        assertThat(log.expired).containsExactly("over", "over");
        assertThat(expired).hasSize(1);
    }

    @Test
    void aPartitionThatIsElsewhereIsLeftToItsOwner() {
        define();
        put("over", START - 1);
        for (int partition = 0; partition < table.partitions(); partition++) {
            tables.board().close(tables.board().base(table.id(), partition).orElseThrow());
        }

        sweep.beat();

        assertThat(log.expired).isEmpty();
    }

    private void define() {
        tables.define(table);
    }

    private void after(Duration time) {
        now = now.plus(time);
    }

    private void put(String id, long end) {
        tables.append(
                table, putOf(Map.of("id", text(id), "end", new AttributeValue.N(Decimal.of(end)))));
    }

    private static Write putOf(Map<String, AttributeValue> attributes) {
        return new Write.PutItem(new Item(attributes), Optional.empty(), Placeholders.NONE);
    }

    private static AttributeValue text(String text) {
        return new AttributeValue.S(text);
    }

    private static TableDefinition expiring(TableDefinition table, Optional<String> attribute) {
        return table.withOptions(
                table.options().withTimeToLive(TimeToLive.NEVER.changedTo(attribute)));
    }

    /** Applies commands to the tables, at once or when told to, and keeps the ids in them. */
    private final class CountingLog implements WriteLog {

        private final List<String> expired = new ArrayList<>();
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean answers = true;
        private Optional<ApiException> failure = Optional.empty();

        @Override
        public CompletionStage<WriteOutcome> append(TableDefinition in, Write write) {
            Write.ExpireItem expire = (Write.ExpireItem) write;
            expired.add(((AttributeValue.S) expire.key().attribute("id").orElseThrow()).value());
            if (failure.isPresent()) {
                return CompletableFuture.failedFuture(failure.get());
            }
            CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
            waiting.add(
                    () -> outcome.complete(tables.append(in, write).toCompletableFuture().join()));
            if (answers) {
                answer();
            }
            return outcome;
        }

        void answer() {
            List.copyOf(waiting).forEach(Runnable::run);
            waiting.clear();
        }

        @Override
        public CompletionStage<Long> appendTo(TableDefinition in, int partition, Write write) {
            throw new IllegalStateException("A sweep defines nothing");
        }

        @Override
        public void partitionsLost(TableDefinition in, List<Integer> partitions) {
            throw new IllegalStateException("A sweep loses no partitions");
        }
    }
}
