package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Strong reads are linearizable (guarantee 3), of the table and of its local index: a read that
 * starts after a write was acknowledged, or after another read has seen it, sees that write or a
 * later one. The values of each key only grow, so a read is wrong exactly if it sees less than what
 * was known when it started.
 */
class LinearizableReadsIT {

    private static final String TABLE = "Linearizable";
    private static final int KEYS = 3;
    private static final int READERS = 4;
    private static final int ENOUGH = 400;

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private static Wire wire() {
        return NODE.wire();
    }

    @BeforeAll
    static void create() {
        wire().create(TableRequest.of(TABLE, "pk:S,sk:S").local("byValue", "pk:S,v:N", "ALL"));
    }

    @Test
    void aReadSeesWhatClientsWereToldOf() {
        List<AtomicLong> known = known();
        play(
                known,
                "clients-",
                4,
                writer -> {
                    int key = writer % KEYS;
                    ObjectNode add =
                            request(TABLE)
                                    .put("UpdateExpression", "ADD v :one")
                                    .put("ReturnValues", "UPDATED_NEW");
                    add.set("Key", item("pk", "clients-" + key, "sk", "s"));
                    add.set("ExpressionAttributeValues", item(":one", 1));
                    JsonNode reply = wire().call("UpdateItem", add).ok().body();
                    raise(known.get(key), reply.at("/Attributes/v/N").asLong());
                });
    }

    @Test
    void aReadSeesWhatTheLogHasAcknowledgedToAnotherProducer() {
        TableLog log = new TableLog(NODE.node().bootstrapServers(), TABLE);
        List<AtomicLong> known = known();
        List<AtomicLong> next = known();
        try (OutsideProducer outside =
                new OutsideProducer(wire(), NODE.node().bootstrapServers(), Map.of())) {
            // one writer per key, so that what is written later is more
            play(
                    known,
                    "outside-",
                    KEYS,
                    key -> {
                        long value = next.get(key).incrementAndGet();
                        String pk = "outside-" + key;
                        outside.put(log.writes(), pk, Map.of("pk", pk, "sk", "s", "v", value))
                                .join();
                        raise(known.get(key), value);
                    });
        }
    }

    /**
     * Kafka tells a producer that its transaction is committed before it has marked it so in every
     * partition; acknowledged is what the log shows to those who read what is committed.
     */
    @Test
    void aReadSeesWhatAnotherProducerHasCommittedAsSoonAsTheLogShowsIt() {
        TableLog log = new TableLog(NODE.node().bootstrapServers(), TABLE);
        try (OutsideProducer outside =
                new OutsideProducer(
                        wire(),
                        NODE.node().bootstrapServers(),
                        Map.of("transactional.id", "another"))) {
            outside.producer().initTransactions();
            for (int value = 1; value <= 20; value++) {
                outside.producer().beginTransaction();
                CompletableFuture<RecordMetadata> sent =
                        outside.put(
                                log.writes(),
                                "committed",
                                Map.of("pk", "committed", "sk", "s", "v", value));
                outside.producer().commitTransaction();
                log.awaitCommitted(sent.join());

                assertThat(read("committed", false)).isEqualTo(value);
                assertThat(read("committed", true)).isEqualTo(value);
            }
        }
    }

    /** Lets writers write and readers read until there was enough of both. */
    private void play(List<AtomicLong> known, String prefix, int writers, IntConsumer write) {
        ExecutorService threads = Executors.newFixedThreadPool(writers + READERS);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int n = 0; n < writers; n++) {
            int writer = n;
            running.add(
                    CompletableFuture.runAsync(
                            () -> {
                                while (!stop.get()) {
                                    write.accept(writer);
                                    writes.incrementAndGet();
                                }
                            },
                            threads));
        }
        for (int n = 0; n < READERS; n++) {
            boolean local = n % 2 == 1;
            running.add(
                    CompletableFuture.runAsync(
                            () -> {
                                for (int turn = 0; !stop.get(); turn++) {
                                    check(prefix + turn % KEYS, known.get(turn % KEYS), local);
                                }
                            },
                            threads));
        }
        try {
            await().atMost(Wire.SOON)
                    .until(
                            () ->
                                    (reads.get() >= ENOUGH && writes.get() >= ENOUGH)
                                            || !wrong.isEmpty()
                                            || running.stream()
                                                    .anyMatch(
                                                            CompletableFuture
                                                                    ::isCompletedExceptionally));
        } finally {
            stop.set(true);
        }
        running.forEach(CompletableFuture::join);
        threads.shutdown();
        assertThat(wrong).isEmpty();
    }

    private void check(String key, AtomicLong known, boolean local) {
        long before = known.get();
        long seen = read(key, local);
        if (seen < before) {
            wrong.add(key + (local ? " in the local index" : "") + ": " + seen + " < " + before);
        }
        raise(known, seen);
        reads.incrementAndGet();
    }

    private static long read(String key, boolean local) {
        if (!local) {
            JsonNode found = wire().get(TABLE, item("pk", key, "sk", "s")).ok().body();
            return found.at("/Item/v/N").asLong(0);
        }
        Wire.Answer found =
                wire().call(
                                "Query",
                                query(TABLE, "byValue", "pk = :0", key).put("ConsistentRead", true))
                        .ok();
        assertThat(found.count()).isLessThanOrEqualTo(1);
        return found.items().path(0).at("/v/N").asLong(0);
    }

    private static void raise(AtomicLong known, long value) {
        known.accumulateAndGet(value, Math::max);
    }

    private static List<AtomicLong> known() {
        List<AtomicLong> known = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            known.add(new AtomicLong());
        }
        return known;
    }
}
