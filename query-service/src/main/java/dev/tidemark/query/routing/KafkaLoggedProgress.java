package dev.tidemark.query.routing;

import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.routing.LogFacts.Place;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.RawIndexUpdate;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads in Kafka how far the app of an index had come, and keeps what it found for a while. */
public final class KafkaLoggedProgress implements LoggedProgress, AutoCloseable {

    /*
     * What is read: the offsets the app's group has committed; the first change after them, and the last change, of each
     * partition of the table; the updates after them of each partition of the index, until one of every partition of the
     * table is met. Sequences are read from records and never counted in offsets, so what transactions leave between
     * records, and records that are gone, have no part in it.
     *
     * Later: an app that does not run does not get on, so what is found stays true; the changes that the table makes
     * meanwhile are counted by whoever knows the table. It is read anew now and then all the same.
     */

    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaLoggedProgress.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long KEPT_NANOS = Duration.ofSeconds(30).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long FIRST_STEP_BACK = 16;

    private record Found(long atNanos, List<IndexProgress> index, List<BaseProgress> base) {}

    private final Map<String, Object> client;
    private final Admin admin;
    private final SchemaRegistry registry;
    private final IndexUpdateCodec updates;
    private final String updatesEnd;
    private final ExecutorService thread;
    private final Map<IndexId, Found> found = new ConcurrentHashMap<>();
    private final Set<IndexId> asked = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Makes it; nothing is read before it is asked for.
     *
     * @param client how to reach Kafka
     * @param admin stays the caller's to close
     * @param updatesEnd what the name of an index's topic of updates ends with, behind the
     *     application id
     */
    public KafkaLoggedProgress(
            Map<String, Object> client, Admin admin, SchemaRegistry registry, String updatesEnd) {
        this.client = new HashMap<>(client);
        this.client.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        this.client.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        this.client.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        this.client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        this.admin = admin;
        this.registry = registry;
        this.updates = new IndexUpdateCodec(registry);
        this.updatesEnd = updatesEnd;
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, "logged-progress");
                            made.setDaemon(true);
                            return made;
                        });
    }

    @Override
    public Optional<IndexProgress> index(TableDefinition table, PartitionRef.OfIndex partition) {
        return find(table, partition.index())
                .map(known -> known.index().get(partition.partition()));
    }

    @Override
    public Optional<BaseProgress> base(TableDefinition table, PartitionRef.OfTable partition) {
        // whatever index it was read for
        return table.generations().stream()
                .map(index -> IndexId.of(table, index))
                .flatMap(index -> Optional.ofNullable(found.get(index)).stream())
                .max((one, other) -> Long.compare(one.atNanos(), other.atNanos()))
                .map(known -> known.base().get(partition.partition()));
    }

    /** Forgets what it knows of indexes of other tables than these, which are gone. */
    public void keepOnly(Set<TableId> tables) {
        found.keySet().removeIf(index -> !tables.contains(index.table()));
    }

    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
    }

    private Optional<Found> find(TableDefinition table, IndexId index) {
        Found known = found.get(index);
        boolean isFresh = known != null && System.nanoTime() - known.atNanos() < FRESH_NANOS;
        if (!isFresh && !closed && asked.add(index)) {
            thread.execute(() -> read(table, index));
        }
        // what was found when it last stood still may be long past
        return Optional.ofNullable(known)
                .filter(each -> System.nanoTime() - each.atNanos() < KEPT_NANOS);
    }

    @SuppressWarnings(
            "IllegalCatch") // the boundary of its thread: asked for again, it is read again
    private void read(TableDefinition table, IndexId index) {
        Optional<GlobalIndex> generation =
                table.generations().stream()
                        .filter(each -> IndexId.of(table, each).equals(index))
                        .findFirst();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            generation.ifPresent(each -> found.put(index, read(table, each, consumer)));
        } catch (RuntimeException e) {
            if (!closed) {
                LOGGER.atWarn()
                        .setCause(e)
                        .addKeyValue("index", index)
                        .log("how far an index is can't be read in Kafka now");
            }
        } finally {
            asked.remove(index);
        }
    }

    private Found read(
            TableDefinition table, GlobalIndex index, KafkaConsumer<byte[], byte[]> consumer) {
        IndexId id = IndexId.of(table, index);
        String application = table.topics().indexApplication(index.name(), index.generation());
        Map<TopicPartition, OffsetAndMetadata> committed = committed(application);
        ChangeCodec changes = new ChangeCodec(registry, table.key());
        String updatesOfIndex = application + updatesEnd;
        boolean hasUpdates = !consumer.partitionsFor(updatesOfIndex, PATIENCE).isEmpty();
        List<LogFacts.Reading> readings = new ArrayList<>();
        List<Map<Integer, Place>> pending = new ArrayList<>();
        List<BaseProgress> bases = new ArrayList<>();
        for (int partition = 0; partition < table.partitions(); partition++) {
            TopicPartition of = new TopicPartition(table.topics().changes(), partition);
            Tail tail = new Tail(consumer, of, committed.get(of));
            readings.add(tail.reading(value -> place(changes, value)));
            bases.add(
                    new BaseProgress(
                            table.id(), partition, 0, readings.get(partition).tableSequence()));
        }
        for (int partition = 0; partition < table.partitions(); partition++) {
            TopicPartition of = new TopicPartition(updatesOfIndex, partition);
            Map<Integer, Place> first = new HashMap<>();
            if (hasUpdates) {
                new Tail(consumer, of, committed.get(of))
                        .visit(
                                value -> {
                                    RawIndexUpdate update = updates.decodeRaw(value);
                                    first.putIfAbsent(
                                            update.basePartition(),
                                            new Place(update.sequence(), update.timeMillis()));
                                    return first.size() < table.partitions();
                                });
            }
            pending.add(first);
        }
        return new Found(System.nanoTime(), new LogFacts(readings, pending).progress(id), bases);
    }

    private static Place place(ChangeCodec codec, byte[] value) {
        ChangeOrigin origin = codec.decode(value).origin();
        return new Place(origin.position().sequence(), origin.time().toEpochMilli());
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .forEach(
                            (partition, offset) -> {
                                if (offset != null) {
                                    offsets.put(partition, offset);
                                }
                            });
            return offsets;
        } catch (ExecutionException e) {
            throw new KafkaException("What a group has committed can't be read", e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException("What a group has committed was not told in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted", e);
        }
    }

    /** Takes the value of one record; returns whether to go on. */
    @FunctionalInterface
    private interface Visitor {
        boolean take(byte[] value);
    }

    /** What of one partition comes after what a group has committed. */
    private static final class Tail {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final TopicPartition partition;
        private final long begin;
        private final long from;
        private final long end;

        Tail(
                KafkaConsumer<byte[], byte[]> consumer,
                TopicPartition partition,
                @Nullable OffsetAndMetadata committed) {
            this.consumer = consumer;
            this.partition = partition;
            consumer.assign(List.of(partition));
            this.begin = offset(consumer.beginningOffsets(List.of(partition), PATIENCE));
            this.end = offset(consumer.endOffsets(List.of(partition), PATIENCE));
            this.from = committed == null ? begin : Math.max(begin, committed.offset());
        }

        private static long offset(Map<TopicPartition, Long> ofOne) {
            return ofOne.values().iterator().next();
        }

        LogFacts.Reading reading(Function<byte[], Place> place) {
            List<Place> next = new ArrayList<>(1);
            visit(
                    value -> {
                        next.add(place.apply(value));
                        return false;
                    });
            return new LogFacts.Reading(next.stream().findFirst(), last().map(place));
        }

        /** Shows the values of the records not yet read, in order; tombstones are left out. */
        void visit(Visitor visitor) {
            visit(from, visitor);
        }

        /** Steps back from the end until a value is met: markers and tombstones are none. */
        private Optional<byte[]> last() {
            long step = FIRST_STEP_BACK;
            for (long start = end; start > begin; step *= 2) {
                start = Math.max(begin, end - step);
                byte[][] seen = new byte[1][];
                visit(
                        start,
                        value -> {
                            seen[0] = value;
                            return true;
                        });
                if (seen[0] != null) {
                    return Optional.of(seen[0]);
                }
            }
            return Optional.empty();
        }

        private void visit(long start, Visitor visitor) {
            consumer.seek(partition, start);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.position(partition, PATIENCE) < end) {
                for (ConsumerRecord<byte[], byte[]> record :
                        consumer.poll(POLL).records(partition)) {
                    if (record.offset() >= end) {
                        return;
                    }
                    if (record.value() != null && !visitor.take(record.value())) {
                        return;
                    }
                }
                if (System.nanoTime() > deadline) {
                    throw new KafkaException("The end of a partition was not reached in time");
                }
            }
        }
    }
}
