package dev.tidemark.ingest;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.OutcomeListener;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.WriteCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Appends writes to the topics of their tables and joins each with the outcome that this node's
 * processor tells.
 *
 * <p>An append succeeds once both the outcome is known and all replicas have the record. No caller
 * is ever blocked; without room a write is turned away at once. Thread-safe.
 */
public final class KafkaWriteLog implements WriteLog, OutcomeListener, AutoCloseable {

    /*
     * Ordering: a waiter is registered under its request id before the record is sent, because the
     * outcome often comes before the producer's callback.
     *
     * Blocking: Producer.send blocks for metadata it lacks and for buffer memory. The first is seen
     * to by WarmTopics; of the second there is more than InFlight lets through.
     *
     * Room: a write occupies its room until it is settled and the producer has let go of its record.
     */

    private static final String UNKNOWN =
            "The outcome of the write is not known: it may or may not have been applied.";
    private static final String OVERLOADED =
            "The write was not made: too many writes are under way. Please try again.";
    private static final String NOT_MADE = "The write was not made. Please try again.";
    private static final String CLOSED = "The write was not made: this node is stopping.";
    private static final long SWEEP_MILLIS = 50;

    private final Producer<byte[], byte[]> producer;
    private final WriteCodec codec;
    private final InstantSource clock;
    private final AppendListener listener;
    private final LongSupplier nanoTime;
    private final long timeoutNanos;
    private final InFlight inFlight;
    private final WarmTopics topics;
    private final Map<RequestId, PendingAppend> pending = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "tidemark-ingest-timeouts");
                        thread.setDaemon(true);
                        return thread;
                    });
    private volatile boolean closed;

    KafkaWriteLog(
            Producer<byte[], byte[]> producer,
            WriteCodec codec,
            IngestSettings settings,
            InstantSource clock,
            AppendListener listener,
            LongSupplier nanoTime) {
        this.producer = producer;
        this.codec = codec;
        this.clock = clock;
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.timeoutNanos = settings.timeout().toNanos();
        this.inFlight = new InFlight(settings.maxInFlight(), settings.maxInFlightBytes());
        this.topics = new WarmTopics(producer, settings.timeout(), nanoTime);
    }

    /**
     * Opens the log.
     *
     * @param clock gives the writes their times
     */
    public static KafkaWriteLog open(
            IngestSettings settings,
            WriteCodec codec,
            InstantSource clock,
            AppendListener listener) {
        KafkaWriteLog log =
                new KafkaWriteLog(
                        new KafkaProducer<>(settings.producerConfig()),
                        codec,
                        settings,
                        clock,
                        listener,
                        System::nanoTime);
        log.start();
        return log;
    }

    /**
     * Fetches what the first write to {@code table} would have to wait for. Writes to a table that
     * is not prepared work as well.
     */
    public CompletionStage<Void> prepare(TableDefinition table) {
        return topics.warm(table.topics().writes()).minimalCompletionStage();
    }

    /** Drops what is remembered of a table that is no more. */
    public void forget(TableDefinition table) {
        topics.forget(table.topics().writes());
    }

    /** Returns how many writes are under way. */
    public int inFlight() {
        return inFlight.count();
    }

    @Override
    public CompletionStage<WriteOutcome> append(TableDefinition table, Write write) {
        byte[] key = recordKey(table, write);
        int partition = Partitioning.partition(key, table.partitions());
        RequestId requestId = RequestId.random();
        byte[] value = codec.encode(new WriteCommand(Optional.of(requestId), write));
        int size = key.length + value.length;
        if (size > IngestSettings.MAX_WRITE_BYTES - 1024) {
            return CompletableFuture.failedFuture(tooLarge());
        }
        if (closed) {
            return CompletableFuture.failedFuture(unavailable(CLOSED));
        }
        if (!inFlight.enter(size)) {
            listener.overloaded();
            return CompletableFuture.failedFuture(
                    new ApiException(ApiError.THROTTLING, OVERLOADED));
        }
        String topic = table.topics().writes();
        PendingAppend append = new PendingAppend(topic, partition, nanoTime.getAsLong());
        pending.put(requestId, append);
        Room room = new Room(inFlight, size);
        CompletableFuture<WriteOutcome> result = append.result();
        var unused =
                result.whenComplete(
                        (outcome, failure) -> {
                            pending.remove(requestId, append);
                            room.settled();
                        });
        Callback callback =
                (metadata, failure) -> {
                    room.sent();
                    if (failure == null) {
                        listener.appended(nanoTime.getAsLong() - append.startedNanos());
                        append.acknowledge();
                    } else {
                        listener.failed();
                        append.fail(error(failure));
                    }
                };
        send(record(topic, partition, key, value), callback, append::fail, room);
        return result;
    }

    @Override
    public CompletionStage<Long> appendTo(TableDefinition table, int partition, Write write) {
        if (partition < 0 || partition >= table.partitions()) {
            throw new IllegalArgumentException("Invalid partition: the table has no such one");
        }
        byte[] value = codec.encode(new WriteCommand(Optional.empty(), write));
        CompletableFuture<Long> result = new CompletableFuture<>();
        if (closed) {
            return CompletableFuture.failedFuture(unavailable(CLOSED));
        }
        if (!inFlight.enter(value.length)) {
            listener.overloaded();
            return CompletableFuture.failedFuture(
                    new ApiException(ApiError.THROTTLING, OVERLOADED));
        }
        Room room = new Room(inFlight, value.length);
        room.settled();
        long started = nanoTime.getAsLong();
        Callback callback =
                (metadata, failure) -> {
                    room.sent();
                    if (failure == null) {
                        listener.appended(nanoTime.getAsLong() - started);
                        result.complete(metadata.offset());
                    } else {
                        listener.failed();
                        result.completeExceptionally(error(failure));
                    }
                };
        // a control command that concerns no item belongs to its partition, without a key
        byte[] key =
                write.addressed()
                        .flatMap(table.key()::keyOf)
                        .map(addressed -> Partitioning.recordKey(addressed.partition()))
                        .orElse(null);
        send(
                record(table.topics().writes(), partition, key, value),
                callback,
                result::completeExceptionally,
                room);
        return result;
    }

    @Override
    public void partitionsLost(TableDefinition table, List<Integer> partitions) {
        String topic = table.topics().writes();
        pending.values().stream()
                .filter(append -> append.topic().equals(topic))
                .filter(append -> partitions.contains(append.partition()))
                .forEach(append -> append.fail(new ApiException(ApiError.INTERNAL, UNKNOWN)));
    }

    @Override
    public void decided(RequestId requestId, WriteOutcome outcome) {
        PendingAppend append = pending.get(requestId);
        if (append != null) {
            append.decided(outcome);
        }
    }

    /** Takes no more writes, waits a few seconds for those under way, and fails the rest. */
    @Override
    public void close() {
        closed = true;
        topics.close();
        producer.close(Duration.ofSeconds(5));
        sweeper.shutdownNow();
        pending.values()
                .forEach(append -> append.fail(new ApiException(ApiError.INTERNAL, UNKNOWN)));
    }

    /** Fails the writes whose time is over. */
    void sweep() {
        long now = nanoTime.getAsLong();
        pending.values().stream()
                .filter(append -> now - append.startedNanos() > timeoutNanos)
                .forEach(append -> append.fail(new ApiException(ApiError.INTERNAL, UNKNOWN)));
    }

    private void start() {
        var unused =
                sweeper.scheduleWithFixedDelay(
                        this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void send(
            ProducerRecord<byte[], byte[]> record,
            Callback callback,
            Consumer<ApiException> onFailure,
            Room room) {
        if (topics.isWarm(record.topic())) {
            sendNow(record, callback, onFailure, room);
            return;
        }
        var unused =
                topics.warm(record.topic())
                        .whenComplete(
                                (nothing, failure) -> {
                                    if (failure == null) {
                                        sendNow(record, callback, onFailure, room);
                                    } else {
                                        room.sent();
                                        listener.failed();
                                        onFailure.accept(
                                                failure instanceof ApiException known
                                                        ? known
                                                        : unavailable(NOT_MADE));
                                    }
                                });
    }

    private void sendNow(
            ProducerRecord<byte[], byte[]> record,
            Callback callback,
            Consumer<ApiException> onFailure,
            Room room) {
        try {
            var unused = producer.send(record, callback);
        } catch (KafkaException | IllegalStateException e) {
            // thrown, not told to the callback: the record was not taken
            room.sent();
            listener.failed();
            onFailure.accept(unavailable(NOT_MADE));
        }
    }

    private ProducerRecord<byte[], byte[]> record(
            String topic, int partition, byte @Nullable [] key, byte[] value) {
        return new ProducerRecord<>(topic, partition, clock.millis(), key, value);
    }

    private static byte[] recordKey(TableDefinition table, Write write) {
        return Partitioning.recordKey(
                write.addressed()
                        .flatMap(table.key()::keyOf)
                        .orElseThrow(
                                () -> new IllegalArgumentException("Invalid write: no valid key"))
                        .partition());
    }

    private static ApiException error(Exception failure) {
        return failure instanceof RecordTooLargeException
                ? tooLarge()
                : new ApiException(ApiError.INTERNAL, UNKNOWN);
    }

    private static ApiException tooLarge() {
        return new ApiException(
                ApiError.REQUEST_TOO_LARGE, "The write exceeds the maximum size of a request.");
    }

    private static ApiException unavailable(String message) {
        return new ApiException(ApiError.SERVICE_UNAVAILABLE, message);
    }

    /** The room one write occupies: given back when it is settled and its record is let go. */
    private static final class Room {

        private final InFlight inFlight;
        private final int size;
        private final AtomicBoolean half = new AtomicBoolean();
        private final AtomicBoolean settled = new AtomicBoolean();
        private final AtomicBoolean sent = new AtomicBoolean();

        Room(InFlight inFlight, int size) {
            this.inFlight = inFlight;
            this.size = size;
        }

        void settled() {
            if (settled.compareAndSet(false, true)) {
                oneLess();
            }
        }

        void sent() {
            if (sent.compareAndSet(false, true)) {
                oneLess();
            }
        }

        private void oneLess() {
            if (!half.compareAndSet(false, true)) {
                inFlight.leave(size);
            }
        }
    }
}
