package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.Watermark;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.query.record.InvalidRecordException;
import dev.tidemark.query.record.LogTopic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica of the catalog whose commands stand in a topic of one partition. */
public final class LogCatalog implements Catalog, AutoCloseable {

    /*
     * Threads: "reader" alone applies commands, tells listeners and completes proposals, in log
     * order. "proposer" alone appends, because a send may block while the broker is away.
     *
     * Agreement: every replica applies every record from offset 0 in order, and the state is a
     * function of them. A record that can't be applied therefore ends the replica (onFailure),
     * never is skipped.
     *
     * Outcomes: the proposer registers its request id before it sends and is answered when its own
     * replica applies the record. The producer is idempotent, so a retried send stands once in the
     * log. A proposal that times out may still be applied.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(LogCatalog.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final CatalogSettings settings;
    private final TopicPartition partition;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ExecutorService proposer;
    private final Thread reader;
    private final Consumer<RuntimeException> onFailure;

    private final Map<String, CompletableFuture<TableDefinition>> proposals =
            new ConcurrentHashMap<>();
    private final List<CatalogListener> listeners = new CopyOnWriteArrayList<>();
    private final Object applying = new Object();
    private final Watermark applied = new Watermark(0);
    private volatile CatalogState state = CatalogState.EMPTY;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean closing;
    private volatile boolean failed;

    private LogCatalog(CatalogSettings settings, Consumer<RuntimeException> onFailure) {
        this.settings = settings;
        this.onFailure = onFailure;
        this.partition = new TopicPartition(settings.topic(), 0);
        this.admin = Admin.create(client(Map.of(AdminClientConfig.RETRY_BACKOFF_MS_CONFIG, 50L)));
        this.consumer =
                new KafkaConsumer<>(
                        client(
                                Map.of(
                                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none",
                                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false)),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        int timeout = Math.toIntExact(settings.proposeTimeout().toMillis());
        this.producer =
                new KafkaProducer<>(
                        client(
                                Map.of(
                                        ProducerConfig.ACKS_CONFIG,
                                        "all",
                                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                                        true,
                                        ProducerConfig.LINGER_MS_CONFIG,
                                        0,
                                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                                        timeout,
                                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                                        timeout,
                                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                                        timeout)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        this.proposer =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, "catalog-proposer");
                            thread.setDaemon(true);
                            return thread;
                        });
        this.reader = new Thread(this::read, "catalog-reader");
        this.reader.setDaemon(true);
    }

    /**
     * Starts a replica: makes the topic if need be and applies all that stands in it.
     *
     * @param onFailure told, once and on the reader's thread, when the replica can't go on; the
     *     node should stop then
     * @throws ApiException if the broker does not answer in time
     * @throws NewerRecordException if a newer version of the program wrote to the catalog
     * @throws InvalidRecordException if something else wrote to it
     */
    @SuppressWarnings("IllegalCatch") // closes what is half open, then lets every failure fly
    public static LogCatalog start(CatalogSettings settings, Consumer<RuntimeException> onFailure) {
        LogCatalog catalog = new LogCatalog(settings, onFailure);
        boolean open = false;
        try {
            catalog.open();
            open = true;
        } finally {
            if (!open) {
                catalog.close();
            }
        }
        return catalog;
    }

    @Override
    public CatalogState state() {
        return state;
    }

    @Override
    public CompletionStage<CatalogState> upToDate() {
        return admin.listOffsets(
                        Map.of(partition, OffsetSpec.latest()),
                        new ListOffsetsOptions()
                                .timeoutMs(Math.toIntExact(settings.proposeTimeout().toMillis())))
                .partitionResult(partition)
                .toCompletionStage()
                .thenCompose(end -> applied.reaches(end.offset()))
                .toCompletableFuture()
                .orTimeout(settings.proposeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle(
                        (offset, failure) -> {
                            if (failure != null) {
                                throw new ApiException(
                                        ApiError.SERVICE_UNAVAILABLE,
                                        "The catalog can't be read at the moment; try again");
                            }
                            return state;
                        });
    }

    @Override
    public CompletionStage<TableDefinition> propose(CatalogCommand command) {
        String request = RequestId.random().toString();
        byte[] value = new CatalogRecord(request, command).toBytes();
        CompletableFuture<TableDefinition> outcome = new CompletableFuture<>();
        if (failed || closing) {
            outcome.completeExceptionally(stopped());
            return outcome;
        }
        proposals.put(request, outcome);
        try {
            proposer.execute(() -> append(value, outcome));
        } catch (RejectedExecutionException e) {
            outcome.completeExceptionally(stopped());
        }
        // longer than the append may take, so that a failed append is told as such
        return outcome.orTimeout(settings.proposeTimeout().toMillis() * 2, TimeUnit.MILLISECONDS)
                .whenComplete((table, failure) -> proposals.remove(request))
                .exceptionallyCompose(
                        failure ->
                                CompletableFuture.failedFuture(
                                        failure instanceof TimeoutException
                                                ? outcomeUnknown()
                                                : failure));
    }

    @Override
    public void addListener(CatalogListener listener) {
        synchronized (applying) {
            listener.changed(CatalogState.EMPTY, state);
            listeners.add(listener);
        }
    }

    /** Stops the replica; proposals under way fail, and the listeners are told nothing more. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing = true;
        consumer.wakeup();
        proposer.shutdown();
        boolean interrupted = false;
        try {
            reader.join(CLOSE.toMillis());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (!reader.isAlive()) {
            consumer.close(CloseOptions.timeout(CLOSE));
        }
        producer.close(CLOSE);
        admin.close(CLOSE);
        applied.close();
        failProposals(stopped());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void open() {
        long deadline = System.nanoTime() + settings.startTimeout().toNanos();
        LogTopic.ensure(
                admin,
                settings.topic(),
                settings.replication(),
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG, "-1",
                        TopicConfig.RETENTION_BYTES_CONFIG, "-1"),
                settings.startTimeout());
        consumer.assign(List.of(partition));
        consumer.seek(partition, 0);
        long end = LogTopic.end(admin, partition, settings.startTimeout());
        while (applied.value() < end) {
            if (System.nanoTime() > deadline) {
                throw new ApiException(
                        ApiError.SERVICE_UNAVAILABLE, "The catalog could not be read in time");
            }
            applyNext(Duration.ofMillis(100));
        }
        reader.start();
    }

    @SuppressWarnings("IllegalCatch") // the boundary of the reader thread
    private void read() {
        try {
            while (!closing) {
                applyNext(POLL);
            }
        } catch (WakeupException e) {
            // closing
        } catch (RuntimeException e) {
            failed = true;
            LOGGER.atError().setCause(e).log("the catalog can't go on");
            failProposals(
                    new ApiException(ApiError.INTERNAL, "The catalog has failed on this node"));
            applied.close();
            onFailure.accept(e);
        }
    }

    private void applyNext(Duration patience) {
        try {
            for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(patience)) {
                apply(entry);
            }
            // what is no record, such as a mark of a foreign transaction, has an offset too
            applied.advance(consumer.position(partition));
        } catch (RetriableException e) {
            LOGGER.atWarn().setCause(e).log("the catalog can't be read at the moment");
        }
    }

    private void apply(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() == null) {
            throw new InvalidRecordException("Catalog record has no value");
        }
        CatalogRecord command = CatalogRecord.parse(entry.value());
        Transition transition;
        synchronized (applying) {
            CatalogState before = state;
            transition = before.apply(command.command());
            state = transition.state();
            if (!transition.state().equals(before)) {
                listeners.forEach(listener -> listener.changed(before, transition.state()));
            }
        }
        applied.advance(entry.offset() + 1);
        CompletableFuture<TableDefinition> proposal = proposals.get(command.request());
        if (proposal == null) {
            return;
        }
        if (transition.outcome() instanceof Outcome.Accepted accepted) {
            proposal.complete(accepted.definition());
        } else if (transition.outcome() instanceof Outcome.Refused refused) {
            proposal.completeExceptionally(new ApiException(refused.error(), refused.message()));
        }
    }

    private void append(byte[] value, CompletableFuture<TableDefinition> outcome) {
        try {
            // the callback tells of a failure; the future would tell the same
            Future<RecordMetadata> unused =
                    producer.send(
                            new ProducerRecord<>(settings.topic(), 0, null, value),
                            (metadata, failure) -> {
                                if (failure != null) {
                                    LOGGER.atWarn()
                                            .setCause(failure)
                                            .log("no append to the catalog");
                                    outcome.completeExceptionally(outcomeUnknown());
                                }
                            });
        } catch (KafkaException | IllegalStateException e) {
            LOGGER.atWarn().setCause(e).log("no append to the catalog");
            outcome.completeExceptionally(
                    new ApiException(
                            ApiError.SERVICE_UNAVAILABLE,
                            "The catalog can't be changed at the moment; try again"));
        }
    }

    private void failProposals(ApiException reason) {
        proposals.values().forEach(proposal -> proposal.completeExceptionally(reason));
    }

    private Map<String, Object> client(Map<String, Object> own) {
        Map<String, Object> all = new HashMap<>(own);
        all.putAll(settings.kafka());
        return all;
    }

    private static ApiException stopped() {
        return new ApiException(ApiError.SERVICE_UNAVAILABLE, "This node is stopping; try again");
    }

    private static ApiException outcomeUnknown() {
        return new ApiException(
                ApiError.INTERNAL, "The outcome is not known: the catalog did not answer in time");
    }
}
