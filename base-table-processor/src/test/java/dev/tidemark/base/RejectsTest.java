package dev.tidemark.base;

import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static dev.tidemark.base.TestTables.putIf;
import static dev.tidemark.base.TestTables.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tidemark.base.process.WriteProcessor;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is silently dropped: what can't be applied is put aside, counted, with its reason. */
class RejectsTest {

    private static final TableDefinition TABLE = TestTables.things(1);

    @TempDir private Path folder;

    static Stream<Arguments> garbage() {
        return Stream.of(
                argumentSet("no value", (Object) null),
                argumentSet("no bytes", new byte[0]),
                argumentSet("text", "{\"pk\":1}".getBytes(StandardCharsets.UTF_8)),
                argumentSet("a frame without a body", new byte[] {0, 0, 0, 0, 1}),
                argumentSet("an unknown schema", new byte[] {0, 0, 0, 0, 99, 1, 2, 3}),
                argumentSet("a schema that is no command", new byte[] {0, 0, 0, 0, 2, 1, 2, 3}),
                argumentSet("a body of garbage", new byte[] {0, 0, 0, 0, 1, 0, 0, -1, -1, -1, -1}));
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void bytesThatAreNoCommandArePutAsideAndTheNextCommandIsApplied(byte @Nullable [] value) {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.sendRaw(new byte[] {7}, value);
            partition.sendUnattended(put(item("p", 1)));

            // Then
            List<TestRecord<byte[], byte[]>> rejects = partition.rejects();
            assertThat(rejects).hasSize(1);
            assertThat(rejects.get(0).key()).isEqualTo(new byte[] {7});
            assertThat(rejects.get(0).value()).isEqualTo(value);
            assertThat(rejects.get(0).getRecordTime()).isEqualTo(TestPartition.START);
            assertThat(reason(rejects.get(0))).isEqualTo("unreadable");
            assertThat(partition.rejected()).containsExactly(RejectReason.UNREADABLE);
            assertThat(partition.storedItems().values()).containsExactly(item("p", 1));
            assertThat(partition.progress().applied().value()).isEqualTo(2);
        }
    }

    @Test
    void theHeadersSayWhereTheRecordLayAndWhatIsWrongWithIt() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.sendUnattended(put(item("p", 1)));
            partition.sendRaw(null, new byte[0]);

            // Then
            TestRecord<byte[], byte[]> reject = partition.rejects().get(0);
            assertThat(reason(reject)).isEqualTo("unreadable");
            assertThat(TestPartition.header(reject, WriteProcessor.PARTITION_HEADER))
                    .isEqualTo("0");
            assertThat(TestPartition.header(reject, WriteProcessor.OFFSET_HEADER)).isEqualTo("1");
            assertThat(TestPartition.header(reject, WriteProcessor.DETAIL_HEADER))
                    .isEqualTo("Invalid framing: no schema id");
        }
    }

    @Test
    void aRecordInAnotherPartitionThanItsKeysIsPutAsideAndItsSenderTold() {
        TableDefinition table = TestTables.things(2);
        try (TestPartition partition = new TestPartition(table, folder)) {
            // Given
            String elsewhere =
                    IntStream.range(0, 100)
                            .mapToObj(number -> "p" + number)
                            .filter(
                                    pk ->
                                            Partitioning.partition(
                                                            Partitioning.recordKey(
                                                                    List.of(value(pk))),
                                                            2)
                                                    == 1)
                            .findFirst()
                            .orElseThrow();

            // When
            WriteOutcome outcome = partition.send(put(item(elsewhere, 1)));

            // Then
            assertThat(outcome).isInstanceOf(WriteOutcome.Refused.class);
            assertThat(partition.rejects())
                    .extracting(RejectsTest::reason)
                    .containsExactly("wrong-partition");
            assertThat(partition.storedItems()).isEmpty();
            assertThat(partition.changes()).isEmpty();
        }
    }

    @Test
    void aRecordUnderAnotherKeyThanItsItemsIsPutAside() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            Write put = put(item("p", 1));
            partition.sendRaw(
                    "q".getBytes(StandardCharsets.UTF_8), partition.encode(Optional.empty(), put));
            partition.sendRaw(null, partition.encode(Optional.empty(), put));

            // Then
            assertThat(partition.rejects())
                    .extracting(RejectsTest::reason)
                    .containsExactly("wrong-key", "wrong-key");
            assertThat(partition.storedItems()).isEmpty();
        }
    }

    @Test
    void aRefusedCommandIsPutAsideOnlyIfNobodyWaitsToBeToldSo() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given
            Write withoutSortKey = put(new Item(Map.of("pk", value("p"))));

            // When
            WriteOutcome told = partition.send(withoutSortKey);
            List<TestRecord<byte[], byte[]>> afterTelling = partition.rejects();
            partition.sendUnattended(withoutSortKey);

            // Then
            String text =
                    "One or more parameter values were invalid: Missing the key sk in the item";
            assertThat(told)
                    .isInstanceOfSatisfying(
                            WriteOutcome.Refused.class,
                            refused -> assertThat(refused.message()).isEqualTo(text));
            assertThat(afterTelling).isEmpty();
            List<TestRecord<byte[], byte[]>> rejects = partition.rejects();
            assertThat(rejects).extracting(RejectsTest::reason).containsExactly("refused");
            assertThat(TestPartition.header(rejects.get(0), WriteProcessor.DETAIL_HEADER))
                    .isEqualTo(text);
        }
    }

    @Test
    void aConditionThatFailsIsAnAnswerAndNoReject() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.sendUnattended(putIf("attribute_exists(pk)", item("p", 1)));

            assertThat(partition.rejects()).isEmpty();
            assertThat(partition.storedItems()).isEmpty();
        }
    }

    @Test
    void anItemWhoseStoredFormIsFarLargerThanItsSizeIsRefused() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // Given
            var huge =
                    new dev.tidemark.model.item.AttributeValue.N(
                            dev.tidemark.model.item.Decimal.parse("1E125"));
            Item item =
                    item(
                            "p",
                            1,
                            "numbers",
                            new dev.tidemark.model.item.AttributeValue.L(
                                    java.util.Collections.nCopies(100_000, huge)));
            assertThat(item.size()).isLessThan(Item.MAX_SIZE);

            // When
            WriteOutcome outcome = partition.send(put(item));

            // Then
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            WriteOutcome.Refused.class,
                            refused ->
                                    assertThat(refused.message())
                                            .isEqualTo(
                                                    "Item size has exceeded the maximum allowed size"));
            assertThat(partition.changes()).isEmpty();
        }
    }

    @Test
    void aRecordTooLargeToBeSentAgainIsNamedByItsPlaceInTheLog() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            // When
            partition.sendRaw(new byte[] {1}, new byte[WriteProcessor.MAX_RECORD_SIZE]);

            // Then
            TestRecord<byte[], byte[]> reject = partition.rejects().get(0);
            assertThat(reject.value()).isNull();
            assertThat(TestPartition.header(reject, WriteProcessor.OFFSET_HEADER)).isEqualTo("0");
        }
    }

    @Test
    void whoSentAReadableCommandUnderAWrongKeyIsTold() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.sendRaw(
                    new byte[0],
                    partition.encode(Optional.of(new RequestId(1, 1)), put(item("p", 1))));

            assertThat(partition.outcomes()).hasSize(1);
            assertThat(partition.outcomes().get(0)).isInstanceOf(WriteOutcome.Refused.class);
        }
    }

    private static String reason(TestRecord<byte[], byte[]> record) {
        return TestPartition.header(record, WriteProcessor.REASON_HEADER);
    }
}
