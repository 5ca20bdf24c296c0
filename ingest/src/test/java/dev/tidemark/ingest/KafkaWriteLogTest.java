package dev.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaWriteLogTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final WriteOutcome APPLIED =
            new WriteOutcome.Applied(new Position(0, 1), Optional.empty(), Optional.empty());
    private static final TableDefinition TABLE =
            new TableDefinition(
                    new TableName("SensorReadings"),
                    new TableId("abcdefgh"),
                    KeySchema.simple(new KeyAttribute("sensor", KeyType.S)),
                    List.of(),
                    List.of(),
                    4,
                    BillingMode.PAY_PER_REQUEST,
                    new Throughput(0, 0),
                    Map.of(),
                    false,
                    NOW,
                    TableStatus.ACTIVE);

    private final WriteCodec codec = new WriteCodec(new InMemorySchemaRegistry());
    private final AtomicLong nanos = new AtomicLong();
    private final Counts counts = new Counts();
    private final BlockingMetadata producer = new BlockingMetadata();
    private KafkaWriteLog log = log(IngestSettings.defaults("unused:1"));

    @AfterEach
    void close() {
        producer.metadata.countDown();
        log.close();
    }

    @Test
    void theRecordIsKeyedPlacedAndDated() {
        prepared();
        var unused = log.append(TABLE, put("s1"));
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        byte[] key = "s1".getBytes(StandardCharsets.UTF_8);
        assertThat(record.topic()).isEqualTo("td.SensorReadings.abcdefgh.writes");
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.partition()).isEqualTo(Partitioning.partition(key, 4));
        assertThat(record.timestamp()).isEqualTo(NOW.toEpochMilli());
        WriteCommand command = codec.decode(record.value());
        assertThat(command.write()).isEqualTo(put("s1"));
        assertThat(command.requestId()).isPresent();
    }

    @Test
    void theOutcomeAloneIsNotEnough() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        log.decided(requestId(0), APPLIED);
        assertThat(result).isNotDone();
        producer.completeNext();
        assertThat(result).isCompletedWithValue(APPLIED);
        assertThat(log.inFlight()).isZero();
        assertThat(counts.appended).hasValue(1);
    }

    @Test
    void theAcknowledgementAloneIsNotEnough() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        producer.completeNext();
        assertThat(result).isNotDone();
        log.decided(requestId(0), APPLIED);
        assertThat(result).isCompletedWithValue(APPLIED);
        assertThat(log.inFlight()).isZero();
    }

    @Test
    void anOutcomeNobodyWaitsForIsIgnored() {
        log.decided(RequestId.random(), APPLIED);
        assertThat(log.inFlight()).isZero();
    }

    @Test
    void aWriteWithoutOutcomeFailsWhenItsTimeIsOver() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        producer.completeNext();
        nanos.addAndGet(Duration.ofMillis(9_999).toNanos());
        log.sweep();
        assertThat(result).isNotDone();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        log.sweep();
        assertFailed(
                result,
                ApiError.INTERNAL,
                "The outcome of the write is not known: it may or may not have been applied.");
        assertThat(log.inFlight()).isZero();
        log.decided(requestId(0), APPLIED);
    }

    @Test
    void aWriteThatIsGivenUpKeepsItsRoomUntilTheProducerLetsGoOfIt() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        log.sweep();
        assertThat(result).isCompletedExceptionally();
        assertThat(log.inFlight()).isOne();
        producer.completeNext();
        assertThat(log.inFlight()).isZero();
    }

    @Test
    void aProducerErrorFailsTheWriteThoughItsOutcomeIsKnown() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        log.decided(requestId(0), APPLIED);
        producer.errorNext(new TimeoutException("expired"));
        assertFailed(
                result,
                ApiError.INTERNAL,
                "The outcome of the write is not known: it may or may not have been applied.");
        assertThat(counts.failed).hasValue(1);
        assertThat(log.inFlight()).isZero();
    }

    @Test
    void aRecordThatIsNotTakenIsSaidNotToBeWritten() {
        prepared();
        producer.sendException = new KafkaException("fatal");
        assertFailed(
                append("s1"),
                ApiError.SERVICE_UNAVAILABLE,
                "The write was not made. Please try again.");
        assertThat(log.inFlight()).isZero();
    }

    @Test
    void lostPartitionsFailTheirWritesAndNoOthers() {
        prepared();
        List<CompletableFuture<WriteOutcome>> results = new ArrayList<>();
        for (int sensor = 0; sensor < 20; sensor++) {
            results.add(append("s" + sensor));
        }
        log.partitionsLost(TABLE, List.of(1, 3));
        for (int sensor = 0; sensor < 20; sensor++) {
            int partition = producer.history().get(sensor).partition();
            assertThat(results.get(sensor).isCompletedExceptionally())
                    .isEqualTo(Set.of(1, 3).contains(partition));
        }
    }

    @Test
    void tooManyWritesAtOnceAreTurnedAway() {
        log.close();
        IngestSettings few = withRoom(2, IngestSettings.MAX_WRITE_BYTES);
        log = log(few);
        prepared();
        CompletableFuture<WriteOutcome> first = append("s1");
        assertThat(append("s2")).isNotDone();
        assertFailed(
                append("s3"),
                ApiError.THROTTLING,
                "The write was not made: too many writes are under way. Please try again.");
        assertThat(counts.overloaded).hasValue(1);
        log.decided(requestId(0), APPLIED);
        producer.completeNext();
        assertThat(first).isCompletedWithValue(APPLIED);
        assertThat(append("s3")).isNotDone();
    }

    @Test
    void tooManyBytesAtOnceAreTurnedAway() {
        log.close();
        log = log(withRoom(100, IngestSettings.MAX_WRITE_BYTES));
        prepared();
        String big = "x".repeat(IngestSettings.MAX_WRITE_BYTES / 2);
        Write write =
                new Write.PutItem(
                        new Item(
                                Map.of(
                                        "sensor", new AttributeValue.S("s1"),
                                        "text", new AttributeValue.S(big))),
                        Optional.empty(),
                        Placeholders.NONE);
        assertThat(log.append(TABLE, write).toCompletableFuture()).isNotDone();
        assertFailed(
                log.append(TABLE, write).toCompletableFuture(),
                ApiError.THROTTLING,
                "The write was not made: too many writes are under way. Please try again.");
    }

    @Test
    void theCallerIsNotBlockedWhileTheProducerLacksMetadata() {
        CompletableFuture<WriteOutcome> result = append("s1");
        assertThat(producer.history()).isEmpty();
        assertThat(result).isNotDone();
        producer.metadata.countDown();
        await().untilAsserted(() -> assertThat(producer.history()).hasSize(1));
        log.decided(requestId(0), APPLIED);
        producer.completeNext();
        assertThat(result).isCompletedWithValue(APPLIED);
    }

    @Test
    void withoutMetadataTheWriteFailsAndIsSaidNotToBeWritten() {
        producer.metadataFailure = new AuthenticationException("no");
        CompletableFuture<WriteOutcome> result = append("s1");
        producer.metadata.countDown();
        await().until(result::isDone);
        assertFailed(
                result,
                ApiError.SERVICE_UNAVAILABLE,
                "The write was not made: the log can't be reached. Please try again.");
        await().untilAsserted(() -> assertThat(log.inFlight()).isZero());
    }

    @Test
    void aControlCommandGoesToItsPartitionAndTellsItsOffset() {
        prepared();
        CompletableFuture<Long> offset =
                log.appendTo(TABLE, 3, new Write.Barrier()).toCompletableFuture();
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.partition()).isEqualTo(3);
        assertThat(record.key()).isNull();
        assertThat(codec.decode(record.value()).requestId()).isEmpty();
        producer.completeNext();
        assertThat(offset).isCompletedWithValue(0L);
        assertThat(log.inFlight()).isZero();
        assertThatThrownBy(() -> log.appendTo(TABLE, 4, new Write.Barrier()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingFailsWhatIsUnderWayAndTakesNoMore() {
        prepared();
        CompletableFuture<WriteOutcome> result = append("s1");
        log.close();
        assertThat(result).isCompletedExceptionally();
        assertFailed(
                append("s2"),
                ApiError.SERVICE_UNAVAILABLE,
                "The write was not made: this node is stopping.");
    }

    private void prepared() {
        producer.metadata.countDown();
        log.prepare(TABLE).toCompletableFuture().join();
    }

    private CompletableFuture<WriteOutcome> append(String sensor) {
        return log.append(TABLE, put(sensor)).toCompletableFuture();
    }

    private RequestId requestId(int at) {
        return codec.decode(producer.history().get(at).value()).requestId().orElseThrow();
    }

    private KafkaWriteLog log(IngestSettings settings) {
        return new KafkaWriteLog(
                producer, codec, settings, InstantSource.fixed(NOW), counts, nanos::get);
    }

    private static IngestSettings withRoom(int count, int bytes) {
        IngestSettings defaults = IngestSettings.defaults("unused:1");
        return new IngestSettings(
                defaults.bootstrapServers(),
                defaults.clientId(),
                defaults.linger(),
                defaults.compression(),
                defaults.timeout(),
                defaults.deliveryTimeout(),
                defaults.maxBlock(),
                count,
                bytes,
                Map.of());
    }

    private static Write put(String sensor) {
        return new Write.PutItem(
                new Item(Map.of("sensor", new AttributeValue.S(sensor))),
                Optional.empty(),
                Placeholders.NONE);
    }

    private static void assertFailed(
            CompletableFuture<WriteOutcome> result, ApiError error, String text) {
        assertThat(result).isCompletedExceptionally();
        Throwable failure = result.handle((outcome, thrown) -> thrown).join();
        assertThat(failure).isInstanceOf(ApiException.class).hasMessage(text);
        assertThat(((ApiException) failure).error()).isEqualTo(error);
        assertThat(error.isRetryable()).isTrue();
    }

    /** Kafka's fake producer, whose metadata comes when the test says so; it can't be closed. */
    private static final class BlockingMetadata extends MockProducer<byte[], byte[]> {

        final CountDownLatch metadata = new CountDownLatch(1);
        volatile @Nullable KafkaException metadataFailure;

        BlockingMetadata() {
            super(cluster(), false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        // not synchronised, as the real one's is not
        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            try {
                metadata.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptException(e);
            }
            KafkaException failure = metadataFailure;
            if (failure != null) {
                throw failure;
            }
            return super.partitionsFor(topic);
        }

        @Override
        public void close(Duration timeout) {}

        private static Cluster cluster() {
            Node node = new Node(0, "unused", 1);
            List<PartitionInfo> partitions = new ArrayList<>();
            for (int partition = 0; partition < TABLE.partitions(); partition++) {
                partitions.add(
                        new PartitionInfo(
                                TABLE.topics().writes(),
                                partition,
                                node,
                                new Node[] {node},
                                new Node[] {node}));
            }
            return new Cluster("fake", List.of(node), partitions, Set.of(), Set.of());
        }
    }

    private static final class Counts implements AppendListener {

        final AtomicLong appended = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong overloaded = new AtomicLong();

        @Override
        public void appended(long nanos) {
            appended.incrementAndGet();
        }

        @Override
        public void failed() {
            failed.incrementAndGet();
        }

        @Override
        public void overloaded() {
            overloaded.incrementAndGet();
        }
    }
}
