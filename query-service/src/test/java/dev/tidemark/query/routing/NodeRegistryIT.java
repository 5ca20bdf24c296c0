package dev.tidemark.query.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.catalog.Tables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that tell each other of themselves over a real broker. */
class NodeRegistryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * So rare that no node counts as gone, however slow the machine, before a test lost patience.
     */
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private static final GlobalIndex INDEX = Tables.index("by-severity", "severity");
    private static final TableDefinition TABLE = Tables.onDemand("readings", "aaaaaaaa", INDEX);
    private static final IndexId ID = new IndexId(TABLE.id(), INDEX.name(), 1);
    private static final PartitionRef FIRST = new PartitionRef.OfTable(TABLE.id(), 0);
    private static final PartitionRef SECOND = new PartitionRef.OfTable(TABLE.id(), 1);

    @TempDir static Path kafkaFolder;
    private static EmbeddedKafka kafka;
    private static int topics;

    private final String topic = "td.nodes-" + topics++;
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private final List<NodeRegistry> registries = new ArrayList<>();
    private final ProgressBoard boardA = new ProgressBoard();
    private final ProgressBoard boardB = new ProgressBoard();
    private final NodeRegistry nodeA = start("a", boardA);
    private final NodeRegistry nodeB = start("b", boardB);

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(kafkaFolder));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @AfterEach
    void closeRegistries() {
        registries.forEach(NodeRegistry::close);
        assertThat(failures).isEmpty();
    }

    @Test
    void nodesSeeEachOthersPartitions() {
        boardA.open(new BaseProgress(TABLE.id(), 0, 0, 3));
        boardB.open(new BaseProgress(TABLE.id(), 1, 0, 5));
        assertThat(nodeA.isOpen(TABLE)).isFalse();

        announce();

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(nodeA.owner(SECOND)).contains(address("b"));
                            assertThat(nodeB.owner(FIRST)).contains(address("a"));
                        });
        assertThat(nodeA.owner(FIRST)).contains(address("a"));
        assertThat(nodeA.isHere(FIRST)).isTrue();
        assertThat(nodeA.isHere(SECOND)).isFalse();
        assertThat(nodeA.isOpen(TABLE)).isTrue();
        assertThat(nodeB.isHeld(TABLE.id())).isTrue();
        assertThat(nodeA.isHeld(ID)).isFalse();
        assertThat(nodeA.sequences(TABLE)).contains(List.of(3L, 5L));
        assertThat(nodeB.nodes()).containsExactly(address("a"), address("b"));
        assertThat(nodeA.leads()).isTrue();
        assertThat(nodeB.leads()).isFalse();
    }

    @Test
    void aPartitionThatMovesIsFoundAtItsNewPlace() {
        announce();
        BaseProgress old = new BaseProgress(TABLE.id(), 0, 0, 0);
        boardA.open(old);
        await().atMost(PATIENCE).until(() -> nodeB.owner(FIRST), Optional::isPresent);

        boardB.open(new BaseProgress(TABLE.id(), 0, 0, 0));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(nodeA.book().owner(FIRST, System.nanoTime()))
                                        .contains(address("b")));
        boardA.close(old);

        assertThat(nodeA.owner(FIRST)).contains(address("b"));
        assertThat(nodeB.owner(FIRST)).contains(address("b"));
    }

    @Test
    void aNodeThatLeavesIsGoneAtOnce() {
        boardB.open(new BaseProgress(TABLE.id(), 1, 0, 5));
        announce();
        await().atMost(PATIENCE).until(() -> nodeA.owner(SECOND), Optional::isPresent);

        nodeB.close();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(nodeA.owner(SECOND)).isEmpty());
        assertThat(nodeA.nodes()).containsExactly(address("a"));
    }

    @Test
    void aNodeThatVanishesIsGoneAfterSomeHeartbeats() throws Exception {
        NodeRegistry watcher = start("c", new ProgressBoard(), Duration.ofSeconds(2));
        long before = System.nanoTime();
        writeClaimOf("dead");
        // as of then it has not lapsed, however late that is asked
        await().atMost(PATIENCE)
                .until(() -> watcher.book().owner(SECOND, before), Optional::isPresent);

        await().atMost(PATIENCE).until(() -> watcher.owner(SECOND), Optional::isEmpty);

        assertThat(watcher.nodes()).doesNotContain(address("dead"));
        assertThat(start("d", new ProgressBoard(), Duration.ofSeconds(2)).owner(SECOND)).isEmpty();
    }

    @Test
    void theLagOfAnIndexIsKnownEverywhere() {
        InstantSource clock = InstantSource.system();
        BaseProgress first = new BaseProgress(TABLE.id(), 0, 0, 0);
        BaseProgress second = new BaseProgress(TABLE.id(), 1, 0, 0);
        IndexProgress indexFirst = new IndexProgress(ID, 0, new long[2], new long[2]);
        IndexProgress indexSecond = new IndexProgress(ID, 1, new long[2], new long[2]);
        boardA.open(first);
        boardB.open(second);
        boardA.open(indexFirst);
        boardB.open(indexSecond);
        announce();
        LagView seenFromA = ClusterLag.of(nodeA, LoggedProgress.NONE, clock);
        LagView seenFromB = ClusterLag.of(nodeB, LoggedProgress.NONE, clock);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(seenFromA.lag(TABLE, INDEX)).contains(IndexLag.NONE);
                            assertThat(seenFromB.lag(TABLE, INDEX)).contains(IndexLag.NONE);
                        });

        long now = Instant.now().toEpochMilli();
        first.changed(1, now);
        first.changed(2, now);
        second.changed(1, now);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(seenFromA.lag(TABLE, INDEX).map(IndexLag::changes))
                                    .contains(3L);
                            assertThat(seenFromB.lag(TABLE, INDEX).map(IndexLag::changes))
                                    .contains(3L);
                        });
        assertThat(nodeB.hasApplied(TABLE, INDEX, List.of(2L, 1L))).isFalse();

        indexFirst.appliedUpTo(0, 2, now);
        indexFirst.appliedUpTo(1, 1, now);
        indexSecond.appliedUpTo(0, 2, now);
        indexSecond.appliedUpTo(1, 1, now);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(seenFromA.lag(TABLE, INDEX)).contains(IndexLag.NONE);
                            assertThat(seenFromB.lag(TABLE, INDEX)).contains(IndexLag.NONE);
                            assertThat(nodeA.hasApplied(TABLE, INDEX, List.of(2L, 1L))).isTrue();
                            assertThat(nodeB.hasApplied(TABLE, INDEX, List.of(2L, 1L))).isTrue();
                        });
    }

    private void announce() {
        nodeA.announce("host", 8001);
        nodeB.announce("host", 8001);
    }

    private NodeRegistry start(String node, ProgressBoard board) {
        return start(node, board, HEARTBEAT);
    }

    private NodeRegistry start(String node, ProgressBoard board, Duration heartbeat) {
        NodeRegistry registry =
                NodeRegistry.start(
                        settings(node, heartbeat), board, InstantSource.system(), failures::add);
        registries.add(registry);
        return registry;
    }

    private NodeRegistrySettings settings(String node, Duration heartbeat) {
        return new NodeRegistrySettings(
                node,
                Set.of("base"),
                topic,
                (short) 1,
                heartbeat,
                Duration.ofMillis(100),
                PATIENCE,
                Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private static NodeAddress address(String node) {
        return new NodeAddress(node, "host", 8001);
    }

    /** What a node that was killed has left behind: one claim, and nothing after it. */
    private void writeClaimOf(String node) throws ExecutionException, InterruptedException {
        ProgressBoard board = new ProgressBoard();
        board.open(new BaseProgress(TABLE.id(), 1, 0, 5));
        NodeClaim claim =
                NodeClaim.of(address(node), "boot", Set.of(), Instant.now().toEpochMilli(), board);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings(node, HEARTBEAT).kafka(),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.send(
                            new ProducerRecord<>(
                                    topic,
                                    0,
                                    node.getBytes(StandardCharsets.UTF_8),
                                    claim.toBytes()))
                    .get();
        }
    }
}
