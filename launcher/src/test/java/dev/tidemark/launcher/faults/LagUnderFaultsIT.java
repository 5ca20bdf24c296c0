package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.LagReading;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lag of indexes, asked for again and again while writes arrive, while the process is killed
 * and while an index stands still: its app rests, and after a restart has never run.
 */
class LagUnderFaultsIT {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String TABLE = Measured.TABLE;
    private static final String HELD = "held";
    private static final Pattern LAG_METRIC =
            Pattern.compile(
                    "tidemark_index(?:_partition)?_lag_(?:changes|seconds)\\{[^}]*} (\\S+)");

    @TempDir private Path folder;
    private ServerProcess server;
    private long heldChanges;
    private long heldAge;
    private int scrapes;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aThousandScrapesUnderLoadAndAKillNeverTellWhatCanNotBe() {
        // Given
        server = ServerProcess.start(folder, "--set", "index.backfill-rate=1");
        Measured.createAndAwait(server.endpoint());
        try (CountedLoad load = CountedLoad.start("first", 4, step -> server.uri())) {
            load.awaitWrites(500);
            addAndPause();

            // When: under load
            scrape(250);
            load.stop();
        }

        // Then: also without load
        scrape(150);
        server.kill();
        server = server.startAgain();
        awaitHeldKnown();
        scrape(200);
        long resting = heldChanges;
        try (CountedLoad load = CountedLoad.start("second", 4, step -> server.uri())) {
            load.awaitWrites(300);
            scrape(400);
            load.stop();
        }
        assertThat(heldChanges).isGreaterThan(resting);
        assertThat(scrapes).isEqualTo(1_000);

        change(node -> node.put("RateLimit", -1).put("Paused", false));
        await().atMost(SOON)
                .untilAsserted(
                        () ->
                                assertThat(LagReading.ofTable(table()))
                                        .hasSizeGreaterThan(1)
                                        .allSatisfy(
                                                lag -> {
                                                    assertThat(lag.status()).isEqualTo("ACTIVE");
                                                    assertThat(lag.changesText()).isEqualTo("0");
                                                    assertThat(lag.ageText()).startsWith("0");
                                                }));
    }

    @Test
    void whatIsCutOffTheHistoryAndWhatTransactionsLeaveThereDoNotConfuseIt() throws Exception {
        // Given
        int port = freePort();
        server =
                ServerProcess.start(
                        folder, "--set", "index.backfill-rate=1", "--set", "kafka.port=" + port);
        Measured.createAndAwait(server.endpoint());
        try (CountedLoad load = CountedLoad.start("cut", 4, step -> server.uri())) {
            load.awaitWrites(300);
            addAndPause();
            load.stop();
        }
        long all = entry(HELD).path("changes").asLong(-1);

        // When: ten records less in each partition, and the index's app has not read any of them
        // since
        server.kill();
        server = server.startAgain();
        awaitHeldKnown();
        long before = entry(HELD).path("changes").asLong();
        cutTenOffEachPartition(port);
        server.kill();
        server = server.startAgain();
        awaitHeldKnown();

        // Then
        assertThat(before).isLessThanOrEqualTo(all);
        assertThat(entry(HELD).path("changes").asLong()).isBetween(before - 20, before);
        assertThat(entry(HELD).path("ageMillis").asLong()).isPositive();
        assertThat(entry("byGroup").path("changes").asLong(-1)).isZero();
        assertThat(entry("byGroup").path("ageMillis").asLong(-1)).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    private static void cutTenOffEachPartition(int port)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + port))) {
            String changes =
                    admin.listTopics().names().get().stream()
                            .filter(name -> name.startsWith("td." + TABLE + "."))
                            .filter(name -> name.endsWith(".changes"))
                            .findFirst()
                            .orElseThrow();
            int partitions =
                    admin.describeTopics(List.of(changes))
                            .allTopicNames()
                            .get()
                            .get(changes)
                            .partitions()
                            .size();
            Map<TopicPartition, RecordsToDelete> cut = new HashMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                cut.put(new TopicPartition(changes, partition), RecordsToDelete.beforeOffset(10));
            }
            admin.deleteRecords(cut).all().get();
        }
    }

    private void addAndPause() {
        ObjectNode update = Endpoint.JSON.createObjectNode().put("TableName", TABLE);
        update.putArray("AttributeDefinitions")
                .addObject()
                .put("AttributeName", "group")
                .put("AttributeType", "S");
        ObjectNode create =
                update.putArray("GlobalSecondaryIndexUpdates").addObject().putObject("Create");
        create.put("IndexName", HELD)
                .putArray("KeySchema")
                .addObject()
                .put("AttributeName", "group")
                .put("KeyType", "HASH");
        create.putObject("Projection").put("ProjectionType", "KEYS_ONLY");
        server.endpoint().call("UpdateTable", update);
        change(node -> node.put("Paused", true));
        awaitHeldKnown();
        heldChanges = 0;
        heldAge = 0;
    }

    private void change(Consumer<ObjectNode> how) {
        ObjectNode request =
                Endpoint.JSON.createObjectNode().put("TableName", TABLE).put("IndexName", HELD);
        how.accept(request);
        server.endpoint().call("Tidemark.UpdateBackfill", request);
    }

    private void awaitHeldKnown() {
        await().atMost(SOON).until(() -> entry(HELD).has("changes"));
    }

    /** Asks so many times how far indexes trail, both ways, and checks each answer. */
    private void scrape(int times) {
        for (int time = 0; time < times; time++) {
            for (JsonNode index : table().path("indexes")) {
                assertThat(index.path("changes").asLong(-1)).isNotNegative();
                assertThat(index.path("ageMillis").asLong(-1)).isNotNegative();
                assertThat(index.path("partitions")).isNotEmpty();
                for (JsonNode partition : index.path("partitions")) {
                    assertThat(partition.path("changes").asLong(-1)).isNotNegative();
                    assertThat(partition.path("ageMillis").asLong(-1)).isNotNegative();
                }
            }
            JsonNode held = entry(HELD);
            assertThat(held.path("changes").asLong(-1)).isGreaterThanOrEqualTo(heldChanges);
            assertThat(held.path("ageMillis").asLong(-1)).isGreaterThanOrEqualTo(heldAge);
            heldChanges = held.path("changes").asLong();
            heldAge = held.path("ageMillis").asLong();
            Matcher metric = LAG_METRIC.matcher(server.endpoint().get("/metrics").body());
            while (metric.find()) {
                assertThat(Double.parseDouble(metric.group(1))).isNotNaN().isNotNegative();
            }
            scrapes++;
        }
    }

    private JsonNode table() {
        for (JsonNode described : LagReading.document(server.endpoint()).path("tables")) {
            if (described.path("table").asText().equals(TABLE)) {
                return described;
            }
        }
        throw new AssertionError("No lag of " + TABLE);
    }

    private JsonNode entry(String index) {
        for (JsonNode described : table().path("indexes")) {
            if (described.path("index").asText().equals(index)) {
                return described;
            }
        }
        throw new AssertionError("No lag of " + index);
    }
}
