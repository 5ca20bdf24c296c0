package dev.tidemark.wire.registry;

import dev.tidemark.wire.JsonBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaParseException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The product's own registry, kept in the topic {@value #TOPIC}: every node that reads it comes to
 * the same ids.
 *
 * <p>A record proposes a schema for a subject. Its key is {@code {"subject":…,"proposal":…}}, its
 * value {@code {"schema":…}}, both JSON.
 */
public final class LogSchemaRegistry implements SchemaRegistry, RegistryView, AutoCloseable {

    /*
     * Ids: the state is a function of the log alone. A record adds a version to its subject unless
     * the subject has that schema, and an id unless some subject has it. So two nodes that propose
     * at once agree: both read both records in one order, and a proposal that came too late changes
     * nothing. The id is therefore not in the record: its writer can't know it.
     *
     * Compaction: were the key the subject and the version, or the schema, the cleaner would remove
     * the older of two racing proposals and with it change the ids of those between. So every
     * proposal has a key of its own, and nothing is ever cleaned.
     *
     * Freshness: whoever looks for an id that is not there first reads to the end of the log, as it
     * was when he asked: a record of a topic may arrive here before the schema it was written with.
     */

    /** The topic's name. */
    public static final String TOPIC = "td.schemas";

    private static final Logger LOGGER = LoggerFactory.getLogger(LogSchemaRegistry.class);
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final InMemorySchemaRegistry state = new InMemorySchemaRegistry();
    private final ConcurrentLinkedQueue<CompletableFuture<Void>> asked =
            new ConcurrentLinkedQueue<>();
    private final Producer<byte[], byte[]> producer;
    private final Consumer<byte[], byte[]> consumer;
    private final Duration timeout;
    private final Thread reader;
    private volatile boolean closed;

    private LogSchemaRegistry(
            Producer<byte[], byte[]> producer,
            Consumer<byte[], byte[]> consumer,
            Duration timeout) {
        this.producer = producer;
        this.consumer = consumer;
        this.timeout = timeout;
        this.reader = new Thread(this::read, "tidemark-schemas");
        this.reader.setDaemon(true);
    }

    /**
     * Opens the registry, whose topic is made if there is none, and reads it to its end.
     *
     * @param clientConfig how to reach Kafka: {@code bootstrap.servers} and perhaps security
     * @param replicationFactor of the topic
     * @param timeout how long Kafka may take for one request of the registry's callers
     * @throws RegistryException if Kafka does not answer
     */
    public static LogSchemaRegistry open(
            Map<String, Object> clientConfig, short replicationFactor, Duration timeout) {
        createTopic(clientConfig, replicationFactor, timeout);
        Map<String, Object> producerConfig = new HashMap<>(clientConfig);
        producerConfig.put(ProducerConfig.ACKS_CONFIG, "all");
        producerConfig.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        producerConfig.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout.toMillis());
        producerConfig.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        producerConfig.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        Map<String, Object> consumerConfig = new HashMap<>(clientConfig);
        consumerConfig.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        consumerConfig.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        consumerConfig.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        LogSchemaRegistry registry =
                new LogSchemaRegistry(
                        new KafkaProducer<>(
                                producerConfig,
                                new ByteArraySerializer(),
                                new ByteArraySerializer()),
                        new KafkaConsumer<>(
                                consumerConfig,
                                new ByteArrayDeserializer(),
                                new ByteArrayDeserializer()),
                        timeout);
        registry.reader.start();
        try {
            registry.readToEnd();
            return registry;
        } catch (RegistryException e) {
            registry.close();
            throw e;
        }
    }

    @Override
    public int idOf(String subject, Schema schema) {
        Optional<Integer> known = find(subject, schema);
        if (known.isPresent()) {
            return known.get();
        }
        readToEnd();
        known = find(subject, schema);
        if (known.isPresent()) {
            return known.get();
        }
        latest(subject).ifPresent(latest -> checkCompatibility(latest, schema));
        propose(subject, schema);
        readToEnd();
        return find(subject, schema)
                .orElseThrow(() -> new RegistryException("The log lacks a schema it acknowledged"));
    }

    @Override
    public Optional<Schema> schemaById(int id) {
        Optional<Schema> known = state.byId(id);
        if (known.isPresent()) {
            return known;
        }
        readToEnd();
        return state.byId(id);
    }

    @Override
    public List<String> subjects() {
        return state.subjects();
    }

    @Override
    public List<RegisteredSchema> versions(String subject) {
        return state.versions(subject);
    }

    @Override
    public Optional<Schema> byId(int id) {
        return state.byId(id);
    }

    @Override
    public List<RegisteredSchema> uses(int id) {
        return state.uses(id);
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            reader.join(timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ZERO);
    }

    private Optional<Integer> find(String subject, Schema schema) {
        return state.versions(subject).stream()
                .filter(version -> version.schema().equals(schema))
                .map(RegisteredSchema::id)
                .findFirst();
    }

    private void propose(String subject, Schema schema) {
        byte[] key =
                new JsonBytes()
                        .putAscii("{\"subject\":")
                        .putString(subject)
                        .putAscii(",\"proposal\":")
                        .putString(UUID.randomUUID().toString())
                        .put('}')
                        .toByteArray();
        byte[] value =
                new JsonBytes()
                        .putAscii("{\"schema\":")
                        .putString(schema.toString())
                        .put('}')
                        .toByteArray();
        try {
            producer.send(new ProducerRecord<>(TOPIC, 0, key, value))
                    .get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new RegistryException("Kafka does not take a schema", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryException("Interrupted while registering a schema", e);
        }
    }

    /** Waits until everything is read that is in the log now. */
    private void readToEnd() {
        if (closed) {
            throw new RegistryException("The schema registry is closed");
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        asked.add(done);
        consumer.wakeup();
        try {
            done.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RegistryException("The topic of schemas can't be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryException("Interrupted while reading schemas", e);
        }
    }

    private void read() {
        List<Wait> waits = new ArrayList<>();
        try (consumer) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            while (!closed) {
                try {
                    readOnce(waits);
                } catch (WakeupException e) {
                    // somebody asks, or it is time to stop: both are seen above
                } catch (InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    LOGGER.atWarn()
                            .addKeyValue("topic", TOPIC)
                            .setCause(e)
                            .log("schemas can't be read; trying again");
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } finally {
            closed = true;
            RegistryException end = new RegistryException("The schema registry is closed");
            waits.forEach(wait -> wait.done().completeExceptionally(end));
            for (CompletableFuture<Void> left = asked.poll(); left != null; left = asked.poll()) {
                left.completeExceptionally(end);
            }
        }
    }

    private void readOnce(List<Wait> waits) {
        int count = asked.size();
        if (count > 0) {
            Long end = consumer.endOffsets(List.of(PARTITION), timeout).get(PARTITION);
            // those who asked before the offset was fetched, and only they, are served by it
            for (int left = count; left > 0; left--) {
                CompletableFuture<Void> done = asked.poll();
                if (done != null) {
                    waits.add(new Wait(end == null ? 0 : end, done));
                }
            }
        }
        release(waits);
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            apply(record);
        }
        release(waits);
    }

    private void release(List<Wait> waits) {
        if (!waits.isEmpty()) {
            long position = consumer.position(PARTITION, timeout);
            waits.removeIf(
                    wait -> {
                        if (position >= wait.end()) {
                            wait.done().complete(null);
                        }
                        return wait.done().isDone();
                    });
        }
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        try {
            byte[] key = record.key();
            byte[] value = record.value();
            if (key == null || value == null) {
                throw new IOException("No key or no value");
            }
            String subject =
                    FlatJson.parse(new String(key, StandardCharsets.UTF_8))
                            .text("subject")
                            .orElseThrow(() -> new IOException("No subject"));
            String schema =
                    FlatJson.parse(new String(value, StandardCharsets.UTF_8))
                            .text("schema")
                            .orElseThrow(() -> new IOException("No schema"));
            state.idOf(subject, new Schema.Parser().parse(schema));
        } catch (IOException | SchemaParseException e) {
            // every node passes over the same records, so the ids still agree
            LOGGER.atWarn()
                    .addKeyValue("topic", TOPIC)
                    .addKeyValue("offset", record.offset())
                    .setCause(e)
                    .log("record is no schema; passed over");
        }
    }

    private static void checkCompatibility(RegisteredSchema latest, Schema schema) {
        SchemaCompatibility.SchemaPairCompatibility compatibility =
                SchemaCompatibility.checkReaderWriterCompatibility(schema, latest.schema());
        if (compatibility.getType() != SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE) {
            throw new RegistryException(
                    "Schema can't read what the latest version of its subject wrote: "
                            + compatibility.getResult().getIncompatibilities());
        }
    }

    private static void createTopic(
            Map<String, Object> clientConfig, short replicationFactor, Duration timeout) {
        NewTopic topic =
                new NewTopic(TOPIC, 1, replicationFactor)
                        .configs(
                                Map.of(
                                        TopicConfig.CLEANUP_POLICY_CONFIG,
                                        TopicConfig.CLEANUP_POLICY_COMPACT));
        try (Admin admin = Admin.create(clientConfig)) {
            admin.createTopics(List.of(topic)).all().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new RegistryException("Kafka does not make the topic of schemas", e);
            }
        } catch (TimeoutException | KafkaException e) {
            throw new RegistryException("Kafka does not make the topic of schemas", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryException("Interrupted while making the topic of schemas", e);
        }
    }

    /** Somebody who waits until everything before {@code end} is read. */
    private record Wait(long end, CompletableFuture<Void> done) {}
}
