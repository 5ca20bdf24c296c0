package dev.tidemark.base;

import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.base.process.WriteProcessor;
import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableDefinition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseTableAppIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir private static Path kafkaFolder;

    private static EmbeddedKafka kafka;

    @TempDir private Path folder;

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(kafkaFolder));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @Test
    void garbageGoesToTheSamePartitionOfRejectsAndTheAppLives() throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(2), "garbage1");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers());
                BaseTableApp app = running.start(folder)) {
            // Given
            Item item = item("p", 1);

            // When
            running.sendRaw(1, new byte[] {1}, "garbage".getBytes(StandardCharsets.UTF_8));
            running.sendRaw(1, null, null);
            running.send(put(item), item);
            running.awaitApplied();

            // Then
            List<ConsumerRecord<byte[], byte[]>> rejects =
                    running.committed(table.topics().rejects(), 2);
            assertThat(rejects).hasSize(2);
            assertThat(rejects).allSatisfy(reject -> assertThat(reject.partition()).isEqualTo(1));
            assertThat(rejects.get(0).value())
                    .isEqualTo("garbage".getBytes(StandardCharsets.UTF_8));
            assertThat(rejects.get(1).headers().lastHeader(WriteProcessor.OFFSET_HEADER).value())
                    .isEqualTo("1".getBytes(StandardCharsets.UTF_8));
            assertThat(running.rejected())
                    .containsExactly(RejectReason.UNREADABLE, RejectReason.UNREADABLE);
            assertThat(running.storedItems(app).values()).containsExactly(item);
            assertThat(running.failures()).isEmpty();
        }
    }

    @Test
    void aFailureThatMayNotMendStopsTheAppAndIsTold() throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(1), "broken01");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers())) {
            // Given
            BaseTableApp app =
                    running.start(
                            running.settings(folder),
                            outcome -> {
                                throw new IllegalStateException("a broken promise");
                            });
            Item item = item("p", 1);

            // When
            running.send(put(item), item);

            // Then
            await().dontCatchUncaughtExceptions()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                assertThat(running.failures()).hasSize(1);
                                assertThat(app.streams().state())
                                        .isEqualTo(KafkaStreams.State.ERROR);
                            });
            assertThat(running.failures().get(0)).hasRootCauseMessage("a broken promise");
            app.close();
        }
    }

    @Test
    void anAppClosedForGoodLeavesNeitherFolderNorMember() throws Exception {
        TableDefinition table = TestTables.withId(TestTables.things(1), "forgood1");
        try (TestTable running = new TestTable(table, kafka.bootstrapServers())) {
            // Given
            BaseTableApp app = running.start(folder);
            Item item = item("p", 1);
            running.send(put(item), item);
            running.awaitApplied();

            // When
            app.closeForGood();

            // Then
            assertThat(folder).isEmptyDirectory();
            running.admin()
                    .deleteConsumerGroups(List.of(table.topics().baseApplication()))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
    }
}
