package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.catalog.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OwnedWriteLogTest {

    private static final TableDefinition TABLE = Tables.onDemand("readings", "aaaaaaaa");
    private static final Item KEY =
            new Item(
                    Map.of(
                            "pk", new AttributeValue.S("a"),
                            "sk", new AttributeValue.N(Decimal.parse("1"))));
    private static final int PARTITION =
            Partitioning.partition(
                    Partitioning.recordKey(List.of(new AttributeValue.S("a"))), TABLE.partitions());

    private final List<Write> appended = new ArrayList<>();
    private final ProgressBoard board = new ProgressBoard();
    private final OwnedWriteLog log = new OwnedWriteLog(new RecordingLog(), board);

    static List<Write> writes() {
        return List.of(
                new Write.PutItem(KEY, Optional.empty(), Placeholders.NONE),
                new Write.DeleteItem(KEY, Optional.empty(), Placeholders.NONE));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteToAPartitionThatIsElsewhereIsRefusedWithNothingAppended(Write write) {
        board.open(new BaseProgress(TABLE.id(), 1 - PARTITION, 0, 0));

        assertThatThrownBy(() -> log.append(TABLE, write).toCompletableFuture().join())
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.error()).isEqualTo(ApiError.SERVICE_UNAVAILABLE));

        assertThat(appended).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteToAPartitionThatIsHereIsAppended(Write write) {
        BaseProgress progress = new BaseProgress(TABLE.id(), PARTITION, 0, 0);
        board.open(progress);

        assertThat(log.append(TABLE, write).toCompletableFuture()).isNotCompletedExceptionally();
        board.close(progress);
        assertThat(log.append(TABLE, write).toCompletableFuture()).isCompletedExceptionally();

        assertThat(appended).containsExactly(write);
    }

    /** Takes every write and never tells an outcome. */
    private final class RecordingLog implements WriteLog {

        @Override
        public CompletionStage<WriteOutcome> append(TableDefinition table, Write write) {
            appended.add(write);
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Long> appendTo(TableDefinition table, int partition, Write write) {
            appended.add(write);
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public void partitionsLost(TableDefinition table, List<Integer> partitions) {}
    }
}
