package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.node.Engines;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An index that stands still or is gone: its lag is told and grows, whoever asks for more than it
 * has waits or is told to try again, and nobody gets an empty answer. The node does not wait for
 * its own writes unless asked, so that a wait is due to what the request asks for.
 */
class HaltedIndexIT {

    private static SharedNode.RunningNode running;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(Map.of("index.read-wait", "0s"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    private static Wire wire() {
        return running.wire();
    }

    private static KafkaStreams engine(String table) {
        String topic = new TableLog(running.node().bootstrapServers(), table).writes();
        TableId id = new TableId(topic.split("\\.", -1)[2]);
        return Engines.of(running.node(), new IndexId(id, new IndexName("gsi"), 1));
    }

    /** kafka-lag-exporter 111, 125, 265, 353, 404. */
    @Test
    void lagGrowsWhileAnIndexStandsStillAndGoesWhenItGoesOn() {
        // Given
        String[] labels = {"table=\"Halted\"", "index=\"gsi\""};
        wire().create(TableRequest.of("Halted", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        wire().put("Halted", item("pk", "before", "g", "g")).ok();
        awaitNoLag("Halted");

        // When
        KafkaStreams engine = engine("Halted");
        engine.pause();
        for (int n = 0; n < 10; n++) {
            wire().put("Halted", item("pk", "p" + n, "g", "g")).ok();
        }

        // Then: a change under way when it was paused may have been applied, others not
        JsonNode first = wire().lag("Halted", "gsi");
        assertThat(first.path("changes").asInt()).isBetween(1, 10);
        assertThat(first.path("ageMillis").asInt()).isNotNegative();
        wire().put("Halted", item("pk", "more", "g", "g")).ok();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> {
                            JsonNode later = wire().lag("Halted", "gsi");
                            assertThat(later.path("changes").asInt())
                                    .isEqualTo(first.path("changes").asInt() + 1);
                            assertThat(later.path("ageMillis").asInt())
                                    .isGreaterThan(first.path("ageMillis").asInt() + 200);
                        });
        String metric = wire().metric("tidemark_index_lag_seconds", labels);
        assertThat(Double.parseDouble(metric)).isGreaterThan(0.2);
        Wire.Answer stale = wire().call("Query", query("Halted", "gsi", "g = :0", "g")).ok();
        assertThat(stale.count()).isLessThan(12);
        assertThat(stale.header("x-tidemark-lag")).matches("changes=[1-9]\\d*;ms=[1-9]\\d*");

        // When: it goes on
        engine.resume();

        // Then
        awaitNoLag("Halted");
        assertThat(wire().call("Query", query("Halted", "gsi", "g = :0", "g")).ok().count())
                .isEqualTo(12);
        assertThat(wire().metric("tidemark_index_lag_changes", labels)).isEqualTo("0.0");
        assertThat(wire().metric("tidemark_index_lag_seconds", labels)).isEqualTo("0.0");
        assertThat(wire().get("/metrics").body()).doesNotContain("NaN");
    }

    @Test
    void aReadAfterAPositionWaitsUntilTheIndexHasItAndIsRefusedIfThatTakesTooLong() {
        // Given
        wire().create(TableRequest.of("Waiting", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        wire().put("Waiting", item("pk", "before", "g", "g")).ok();
        awaitNoLag("Waiting");
        KafkaStreams engine = engine("Waiting");
        engine.pause();
        wire().put("Waiting", item("pk", "filler", "g", "g")).ok();
        String position =
                wire().put("Waiting", item("pk", "wanted", "g", "wanted"))
                        .ok()
                        .header("x-tidemark-position");
        assertThat(position).matches("Waiting:[01]:\\d+");
        String wanted = query("Waiting", "gsi", "g = :0", "wanted").toString();

        // When
        Wire.Answer unasked = wire().call("Query", wanted);
        Wire.Answer refused = wire().call("Query", wanted, "x-tidemark-after", position);

        // Then
        assertThat(unasked.ok().count()).isZero();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.error()).isEqualTo("ServiceUnavailableException");

        // When
        CompletableFuture<Wire.Answer> waiting =
                wire().send("Query", wanted, "x-tidemark-after", position);
        engine.resume();

        // Then
        assertThat(waiting.join().ok().count()).isEqualTo(1);
    }

    @Test
    void aReadThatMustBeFreshWaitsUntilTheIndexIsAndIsRefusedIfThatTakesTooLong() {
        // Given
        wire().create(
                        TableRequest.of("Fresh", "pk:S")
                                .global("gsi", "g:S,pk:S", "ALL")
                                .tag("tidemark:gsi-consistent-read", "wait"));
        String wanted = query("Fresh", "gsi", "g = :0", "wanted").toString();
        String strong =
                query("Fresh", "gsi", "g = :0", "wanted").put("ConsistentRead", true).toString();
        assertThat(wire().call("Query", strong).ok().count()).isZero();
        KafkaStreams engine = engine("Fresh");
        engine.pause();
        wire().put("Fresh", item("pk", "filler", "g", "g")).ok();
        wire().put("Fresh", item("pk", "wanted", "g", "wanted")).ok();
        await().atMost(Wire.SOON)
                .until(() -> wire().lag("Fresh", "gsi").path("ageMillis").asInt() > 50);

        // Then
        assertThat(wire().call("Query", wanted, "x-tidemark-max-staleness", "1000s").ok().count())
                .isZero();
        for (Wire.Answer refused :
                List.of(
                        wire().call("Query", wanted, "x-tidemark-max-staleness", "50ms"),
                        wire().call("Query", strong))) {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.error()).isEqualTo("ServiceUnavailableException");
        }

        // When
        List<CompletableFuture<Wire.Answer>> waiting =
                List.of(
                        wire().send("Query", wanted, "x-tidemark-max-staleness", "50ms"),
                        wire().send("Query", strong));
        engine.resume();

        // Then
        assertThat(waiting).allSatisfy(read -> assertThat(read.join().ok().count()).isEqualTo(1));
    }

    /** spring-kafka 1207, quarkus 8922, kstreamplify 133. */
    @Test
    void whileAnIndexIsGoneItsReadsAreRetryableAndTheNodeIsLiveButNotReady() {
        // Given
        wire().create(TableRequest.of("Gone", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        wire().put("Gone", item("pk", "p", "g", "g")).ok();
        awaitNoLag("Gone");
        assertThat(wire().get("/health/ready").statusCode()).isEqualTo(200);

        // When
        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(() -> engine("Gone").close(Duration.ofSeconds(20)));

        // Then: no answer on the way down is an empty one
        String query = query("Gone", "gsi", "g = :0", "g").toString();
        await().atMost(Wire.SOON)
                .pollInterval(Duration.ofMillis(1))
                .until(
                        () -> {
                            Wire.Answer answer = wire().call("Query", query);
                            if (answer.status() == 200) {
                                assertThat(answer.count()).isEqualTo(1);
                            }
                            return answer.status() == 503;
                        });
        closing.join();
        for (String operation : List.of("Query", "Scan")) {
            Wire.Answer answer =
                    wire().call(
                                    operation,
                                    operation.equals("Query")
                                            ? query
                                            : scan("Gone", "gsi").toString());
            assertThat(answer.status()).as(operation).isEqualTo(503);
        }
        assertThat(wire().get("/health/live").statusCode()).isEqualTo(200);
        assertThat(wire().get("/health/ready").statusCode()).isEqualTo(503);

        // and the table works, and its index's lag is told and grows
        wire().put("Gone", item("pk", "q", "g", "g")).ok();
        assertThat(wire().get("Gone", item("pk", "q")).ok().body().has("Item")).isTrue();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> {
                            JsonNode lag = wire().lag("Gone", "gsi");
                            assertThat(lag.path("changes").asInt()).isEqualTo(1);
                            assertThat(lag.path("ageMillis").asInt()).isGreaterThan(100);
                        });
        wire().call("DeleteTable", Items.request("Gone")).ok();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> assertThat(wire().get("/health/ready").statusCode()).isEqualTo(200));
    }

    private static void awaitNoLag(String table) {
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(wire().lag(table, "gsi").path("changes").asInt(-1))
                                        .isZero());
    }
}
