package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.request;
import static dev.tidemark.launcher.e2e.Items.scan;
import static dev.tidemark.launcher.e2e.Items.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.faults.ServerProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Items whose time to live is over go away by themselves, from all indexes, also after a kill. */
class ExpiryIT {

    private static final String TABLE = "Sessions";

    @TempDir Path folder;

    private ServerProcess server;
    private Wire wire;

    @BeforeEach
    void start() {
        server = ServerProcess.start(folder, "--set", "expiry.interval=1s");
        wire = new Wire(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void expiredItemsLeaveTheTableAndEveryIndexAndTheOthersStay() {
        // Given
        wire.create(
                TableRequest.of(TABLE, "pk:S,sk:N")
                        .local("byScore", "pk:S,score:N", "ALL")
                        .global("byUser", "who:S,sk:N", "ALL"));
        long now = Instant.now().getEpochSecond();
        put("before", now - 60);
        setTimeToLive(true);

        // When
        put("past", now - 60);
        put("soon", now + 2);
        put("later", now + 3_600);
        put("ancient", now - 6L * 365 * 24 * 3_600);
        wire.put(TABLE, item("pk", "text", "sk", 1, "who", "u", "score", 1, "end", "" + now)).ok();
        wire.put(TABLE, item("pk", "none", "sk", 1, "who", "u", "score", 1)).ok();

        // Then
        String[] left = {"later", "ancient", "text", "none"};
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(scanned("")).containsExactlyInAnyOrder(left));
        assertThat(scanned("byScore")).containsExactlyInAnyOrder(left);
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(scanned("byUser")).containsExactlyInAnyOrder(left));
        assertThat(
                        texts(
                                wire.call("Query", query(TABLE, "byUser", "who = :0", "u"))
                                        .ok()
                                        .items(),
                                "pk"))
                .containsExactlyInAnyOrder(left);
        assertThat(wire.metric("tidemark_expired_items_total", "table=\"" + TABLE + "\""))
                .isEqualTo("3.0");

        // When expiry is switched off
        setTimeToLive(false);
        put("late", now - 60);
        wire.call("UpdateTimeToLive", timeToLive("other", true)).ok();
        wire.put(TABLE, item("pk", "other", "sk", 1, "other", now - 60)).ok();

        // Then only what has the attribute of now expires
        await().atMost(Wire.SOON)
                .untilAsserted(() -> assertThat(scanned("")).doesNotContain("other"));
        assertThat(scanned("")).contains("late");
    }

    @Test
    void expiryGoesOnAfterAKill() {
        // Given
        wire.create(TableRequest.of(TABLE, "pk:S").global("byUser", "who:S", "KEYS_ONLY"));
        setTimeToLive(true);
        long now = Instant.now().getEpochSecond();
        IntStream.range(0, 200)
                .forEach(
                        n ->
                                wire.put(
                                                TABLE,
                                                item(
                                                        "pk",
                                                        "p" + n,
                                                        "who",
                                                        "u" + n % 3,
                                                        "end",
                                                        n % 2 == 0 ? now + 1 : now + 3_600))
                                        .ok());

        // When
        server.kill();
        server = server.startAgain();
        wire = new Wire(server.uri());

        // Then
        List<String> left = new ArrayList<>();
        IntStream.range(0, 200).filter(n -> n % 2 != 0).forEach(n -> left.add("p" + n));
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () -> {
                            assertThat(scanned("")).containsExactlyInAnyOrderElementsOf(left);
                            assertThat(scanned("byUser")).containsExactlyInAnyOrderElementsOf(left);
                        });
        assertThat(
                        wire.call("DescribeTimeToLive", request(TABLE))
                                .ok()
                                .body()
                                .at("/TimeToLiveDescription/AttributeName")
                                .asText())
                .isEqualTo("end");
    }

    private void put(String pk, long end) {
        wire.put(TABLE, item("pk", pk, "sk", 1, "who", "u", "score", 1, "end", end)).ok();
    }

    private List<String> scanned(String index) {
        ObjectNode scan = scan(TABLE, index);
        if (!index.equals("byUser")) {
            scan.put("ConsistentRead", true);
        }
        return texts(wire.call("Scan", scan).ok().items(), "pk");
    }

    private void setTimeToLive(boolean enabled) {
        wire.call("UpdateTimeToLive", timeToLive("end", enabled)).ok();
    }

    private static ObjectNode timeToLive(String attribute, boolean enabled) {
        ObjectNode update = request(TABLE);
        update.putObject("TimeToLiveSpecification")
                .put("AttributeName", attribute)
                .put("Enabled", enabled);
        return update;
    }
}
