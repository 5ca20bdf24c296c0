package dev.tidemark.query.routing;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.record.InvalidRecordException;
import dev.tidemark.query.record.LogTopic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster of nodes that share a Kafka: each tells the others, through a compacted topic of one
 * partition, where it is, which partitions are open there and how far they are. Long, since what is
 * told and what is heard share one life.
 */
public final class NodeRegistry implements Cluster, AutoCloseable {

    /*
     * Threads: "nodes-reader" alone writes the claim book. "nodes-claims" alone says how this node
     * is: at once when a partition came or went, soon when one got on, and in any case with each
     * heartbeat. Each claim tells all, so a lost one is made good by the next.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(NodeRegistry.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final int SEND_TIMEOUT_MILLIS = 2_000;

    private final NodeRegistrySettings settings;
    private final ProgressBoard board;
    private final LocalPartitions local;
    private final InstantSource clock;
    private final Consumer<RuntimeException> onFailure;
    private final String boot = UUID.randomUUID().toString();
    private final ClaimBook book;
    private final List<ProgressBoard.Listener> listeners = new CopyOnWriteArrayList<>();
    private final TopicPartition partition;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Semaphore changes = new Semaphore(0);
    private final Thread reader;
    private final Thread claims;
    private volatile Optional<NodeAddress> self = Optional.empty();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean closing;

    private NodeRegistry(
            NodeRegistrySettings settings,
            ProgressBoard board,
            InstantSource clock,
            Consumer<RuntimeException> onFailure) {
        this.settings = settings;
        this.board = board;
        this.local = new LocalPartitions(board);
        this.clock = clock;
        this.onFailure = onFailure;
        this.book = new ClaimBook(settings.patience());
        this.partition = new TopicPartition(settings.topic(), 0);
        this.admin = Admin.create(client(Map.of()));
        this.consumer =
                new KafkaConsumer<>(
                        client(
                                Map.of(
                                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false)),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        this.producer =
                new KafkaProducer<>(
                        client(
                                Map.of(
                                        ProducerConfig.ACKS_CONFIG,
                                        "all",
                                        ProducerConfig.LINGER_MS_CONFIG,
                                        0,
                                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                                        SEND_TIMEOUT_MILLIS,
                                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                                        SEND_TIMEOUT_MILLIS,
                                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                                        SEND_TIMEOUT_MILLIS)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        this.reader = new Thread(this::read, "nodes-reader");
        this.reader.setDaemon(true);
        this.claims = new Thread(this::claim, "nodes-claims");
        this.claims.setDaemon(true);
    }

    /**
     * Starts to listen to the other nodes: makes the topic if need be and reads what stands in it.
     * This node is not told of before it is {@link #announce announced}.
     *
     * @param board what is open on this node
     * @param clock the clock that claims are dated by
     * @param onFailure told, once and on the reader's thread, when the registry can't go on; the
     *     node should stop then
     * @throws ApiException if the broker does not answer in time
     */
    @SuppressWarnings("IllegalCatch") // closes what is half open, then lets every failure fly
    public static NodeRegistry start(
            NodeRegistrySettings settings,
            ProgressBoard board,
            InstantSource clock,
            Consumer<RuntimeException> onFailure) {
        NodeRegistry registry = new NodeRegistry(settings, board, clock, onFailure);
        boolean open = false;
        try {
            registry.open();
            open = true;
        } finally {
            if (!open) {
                registry.close();
            }
        }
        return registry;
    }

    /** Begins to tell the others that this node is there, and where; call once. */
    public void announce(String host, int port) {
        self = Optional.of(new NodeAddress(settings.node(), host, port));
        claims.start();
        board.addListener(
                () -> {
                    changes.release();
                    listeners.forEach(ProgressBoard.Listener::partitionsChanged);
                });
    }

    @Override
    public boolean isHere(PartitionRef ref) {
        return local.isOpen(ref);
    }

    @Override
    public Optional<NodeAddress> owner(PartitionRef ref) {
        return isHere(ref) ? self : book.owner(ref, System.nanoTime());
    }

    @Override
    public List<NodeAddress> nodes() {
        List<NodeAddress> nodes = new ArrayList<>(book.nodes(System.nanoTime()));
        self.ifPresent(nodes::add);
        nodes.sort(Comparator.comparing(NodeAddress::node));
        return nodes;
    }

    @Override
    public boolean leads() {
        return self.isPresent() && nodes().get(0).equals(self.get());
    }

    @Override
    public boolean isOpen(TableDefinition table) {
        return KnownProgress.partitions(table).stream().allMatch(this::isOpen);
    }

    @Override
    public boolean isOpen(TableDefinition table, GlobalIndex index) {
        return KnownProgress.partitions(table, index).stream().allMatch(this::isOpen);
    }

    @Override
    public boolean isHeld(TableId table) {
        return local.holds(table)
                || book.anyClaimed(
                        ref ->
                                ref instanceof PartitionRef.OfTable base
                                        && base.table().equals(table),
                        System.nanoTime());
    }

    @Override
    public boolean isHeld(IndexId id) {
        return local.holds(id)
                || book.anyClaimed(
                        ref ->
                                (ref instanceof PartitionRef.OfIndex index
                                                && index.index().equals(id))
                                        || (ref instanceof PartitionRef.OfProjection projection
                                                && projection.index().equals(id)),
                        System.nanoTime());
    }

    @Override
    public Optional<List<Long>> sequences(TableDefinition table) {
        return KnownProgress.ofAll(KnownProgress.partitions(table), this::sequence);
    }

    @Override
    public Optional<List<Long>> tidemarks(TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(KnownProgress.partitions(table, index), this::progress)
                .map(KnownProgress::lowestTidemarks);
    }

    @Override
    public Optional<List<ProjectionCounts>> projections(TableDefinition table, GlobalIndex index) {
        return KnownProgress.ofAll(KnownProgress.projections(table, index), this::counts);
    }

    @Override
    public void addListener(ProgressBoard.Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void forget(TableId table) {
        board.forget(table);
        book.forget(table);
    }

    @Override
    public void forget(IndexId index) {
        board.forget(index);
        book.forget(index);
    }

    /** Tells the others that this node leaves, and stops. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing = true;
        consumer.wakeup();
        changes.release();
        boolean interrupted = !join(claims);
        interrupted |= !join(reader);
        if (self.isPresent()) {
            send(null);
        }
        if (!reader.isAlive()) {
            consumer.close(CloseOptions.timeout(CLOSE));
        }
        producer.close(CLOSE);
        admin.close(CLOSE);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    ProgressBoard board() {
        return board;
    }

    ClaimBook book() {
        return book;
    }

    private boolean isOpen(PartitionRef ref) {
        return owner(ref).isPresent() || isHere(ref);
    }

    private Optional<Long> sequence(PartitionRef.OfTable ref) {
        return local.base(ref)
                .map(base -> base.sequence().value())
                .or(() -> book.base(ref, System.nanoTime()).map(NodeClaim.BaseClaim::sequence));
    }

    private Optional<IndexProgress> progress(PartitionRef.OfIndex ref) {
        return local.index(ref)
                .or(() -> book.index(ref, System.nanoTime()).map(NodeClaim.IndexClaim::progress));
    }

    private Optional<ProjectionCounts> counts(PartitionRef.OfProjection ref) {
        return local.projection(ref)
                .map(ProjectionProgress::counts)
                .or(
                        () ->
                                book.projection(ref, System.nanoTime())
                                        .map(NodeClaim.ProjectionClaim::counts));
    }

    private void open() {
        long deadline = System.nanoTime() + settings.startTimeout().toNanos();
        LogTopic.ensure(
                admin,
                settings.topic(),
                settings.replication(),
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
                        TopicConfig.SEGMENT_MS_CONFIG, "600000",
                        TopicConfig.SEGMENT_BYTES_CONFIG, "16777216",
                        TopicConfig.DELETE_RETENTION_MS_CONFIG, "60000"),
                settings.startTimeout());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = LogTopic.end(admin, partition, settings.startTimeout());
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > deadline) {
                throw new ApiException(
                        ApiError.SERVICE_UNAVAILABLE, "The nodes could not be read in time");
            }
            for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(100))) {
                note(entry, entry.offset() >= end);
            }
        }
        reader.start();
    }

    @SuppressWarnings("IllegalCatch") // the boundary of the reader thread
    private void read() {
        try {
            while (!closing) {
                try {
                    for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
                        note(entry, true);
                    }
                } catch (RetriableException e) {
                    LOGGER.atWarn().setCause(e).log("the nodes can't be read at the moment");
                }
            }
        } catch (WakeupException e) {
            LOGGER.atDebug().log("the node registry stops");
        } catch (RuntimeException e) {
            LOGGER.atError().setCause(e).log("the node registry can't go on");
            onFailure.accept(e);
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> entry, boolean live) {
        if (entry.key() == null) {
            LOGGER.atWarn().addKeyValue("offset", entry.offset()).log("a claim names no node");
            return;
        }
        String node = new String(entry.key(), StandardCharsets.UTF_8);
        if (node.equals(settings.node())) {
            noteOwn(entry, live);
            return;
        }
        if (entry.value() == null) {
            book.left(node);
        } else {
            try {
                NodeClaim claim = NodeClaim.parse(entry.value());
                if (live) {
                    book.heard(entry.offset(), claim, System.nanoTime());
                } else {
                    book.replayed(entry.offset(), claim);
                }
            } catch (InvalidRecordException e) {
                LOGGER.atWarn()
                        .setCause(e)
                        .addKeyValue("node", node)
                        .addKeyValue("offset", entry.offset())
                        .log("the claim of a node can't be read");
                return;
            }
        }
        if (live) {
            listeners.forEach(ProgressBoard.Listener::partitionsChanged);
        }
    }

    /** What stands under this node's id is its own, or that of another which must not be there. */
    private void noteOwn(ConsumerRecord<byte[], byte[]> entry, boolean live) {
        if (!live || self.isEmpty() || entry.value() == null) {
            return;
        }
        try {
            NodeClaim claim = NodeClaim.parse(entry.value());
            if (!claim.boot().equals(boot)) {
                LOGGER.atError()
                        .addKeyValue("node", settings.node())
                        .addKeyValue("address", claim.address())
                        .log("another node uses this node's id");
            }
        } catch (InvalidRecordException e) {
            LOGGER.atWarn().setCause(e).log("a claim under this node's id can't be read");
        }
    }

    private void claim() {
        NodeAddress address = self.orElseThrow();
        long heartbeatNanos = settings.heartbeat().toNanos();
        NodeClaim said = null;
        long saidAt = 0;
        try {
            while (!closing) {
                NodeClaim claim =
                        NodeClaim.of(address, boot, settings.roles(), clock.millis(), board);
                long now = System.nanoTime();
                if (said == null || now - saidAt >= heartbeatNanos || !claim.saysAs(said)) {
                    send(claim.toBytes());
                    said = claim;
                    saidAt = now;
                }
                awaitChange(Math.min(settings.progress().toNanos(), heartbeatNanos));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitChange(long nanos) throws InterruptedException {
        if (changes.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            changes.drainPermits();
        }
    }

    private void send(byte @Nullable [] claim) {
        try {
            // the callback tells of a failure; the future would tell the same
            Future<RecordMetadata> unused =
                    producer.send(
                            new ProducerRecord<>(
                                    settings.topic(),
                                    0,
                                    settings.node().getBytes(StandardCharsets.UTF_8),
                                    claim),
                            (metadata, failure) -> {
                                if (failure != null) {
                                    LOGGER.atWarn().setCause(failure).log("a claim was not told");
                                }
                            });
        } catch (KafkaException | IllegalStateException e) {
            LOGGER.atWarn().setCause(e).log("a claim was not told");
        }
    }

    private Map<String, Object> client(Map<String, Object> own) {
        Map<String, Object> all = new HashMap<>(own);
        all.putAll(settings.kafka());
        return all;
    }

    /** Waits for a thread to end; returns false if this one was interrupted. */
    private static boolean join(Thread thread) {
        try {
            thread.join(CLOSE.toMillis());
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
