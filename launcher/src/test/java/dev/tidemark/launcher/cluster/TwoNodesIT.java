package dev.tidemark.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.client.LagReading;
import dev.tidemark.launcher.faults.CountedLoad;
import dev.tidemark.launcher.faults.Measured;
import dev.tidemark.launcher.faults.OneTry;
import dev.tidemark.launcher.faults.ServerProcess;
import dev.tidemark.testsupport.OutsideKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two nodes on an outside Kafka share a table's partitions, answer alike, and stand in for each
 * other (guarantees 1, 2, 3, 5 and 7).
 */
class TwoNodesIT {

    private static final Logger LOGGER = LoggerFactory.getLogger(TwoNodesIT.class);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PARTITIONS = 4;
    private static final int WRITERS = 4;

    @TempDir Path folder;

    private final List<ServerProcess> servers = new ArrayList<>();
    private OutsideKafka broker;

    @BeforeEach
    void startTheBroker() {
        broker = OutsideKafka.start(folder.resolve("broker"));
    }

    @AfterEach
    void killAll() {
        servers.forEach(ServerProcess::close);
        if (broker != null) {
            broker.kill();
        }
    }

    @Test
    void eitherNodeAnswersForBothAndOneWithoutPartitionsToo() {
        // Given
        ServerProcess a = node("a");
        ServerProcess b = node("b");
        create(a);
        awaitShared(a, "a", "b");
        Endpoint viaA = a.endpoint();
        Endpoint viaB = b.endpoint();

        // When: everything is written through one and read through the other
        for (int n = 0; n < 40; n++) {
            Endpoint writer = n % 2 == 0 ? viaA : viaB;
            writer.call("PutItem", Measured.put(Measured.item("pk-" + n % 10, n)));
        }
        viaB.call("BatchWriteItem", batch(100, 20));
        viaA.call("DeleteItem", Measured.delete(Measured.key("batch-3", 103)));
        for (int n = 0; n < 12; n++) {
            viaA.call("UpdateItem", Measured.increment("counter-" + n % 4, n));
            viaB.call("UpdateItem", Measured.increment("counter-" + n % 4, n));
        }

        // Then
        for (int n = 0; n < 40; n++) {
            ObjectNode get = Measured.get(Measured.key("pk-" + n % 10, n));
            ObjectNode expected = Measured.item("pk-" + n % 10, n);
            assertThat(viaA.call("GetItem", get).path("Item")).isEqualTo(expected);
            assertThat(viaB.call("GetItem", get).path("Item")).isEqualTo(expected);
        }
        for (int n = 0; n < 4; n++) {
            ObjectNode get = Measured.get(Measured.key("counter-" + n, 0));
            assertThat(viaA.call("GetItem", get).at("/Item/count/N").asInt()).isEqualTo(6);
            assertThat(viaB.call("GetItem", get)).isEqualTo(viaA.call("GetItem", get));
        }
        CountedLoad.awaitNoLag(viaA);
        CountedLoad.awaitNoLag(viaB);
        agree(viaA, viaB);
        for (int group = 0; group < 11; group++) {
            OneTry.Answer answer =
                    new OneTry().call(a.uri(), "Query", Measured.queryGroup("group-" + group));
            assertThat(answer.lag()).isEqualTo("changes=0;ms=0");
        }

        // When: a strong read of a global index is asked for, at the other node than the write
        viaA.call("TagResource", lettingStrongReadsWait(viaA));
        await().atMost(SOON)
                .until(() -> List.of(viaA, viaB).stream().allMatch(TwoNodesIT::readsStrongly));
        for (int n = 0; n < 20; n++) {
            (n % 2 == 0 ? viaA : viaB)
                    .call("PutItem", Measured.put(Measured.item("strong-" + n, 1_000 + n)));
            JsonNode seen = (n % 2 == 0 ? viaB : viaA).call("Scan", strongScan());
            assertThat(seen.path("Items").findValuesAsText("S")).contains("strong-" + n);
            viaA.call("DeleteItem", Measured.delete(Measured.key("strong-" + n, 1_000 + n)));
        }

        // When: items expire, whichever node has them
        viaB.call("UpdateTimeToLive", Measured.request(TwoNodesIT::expiring));
        for (int n = 0; n < 10; n++) {
            ObjectNode item = Measured.item("gone-" + n, n);
            item.putObject("end").put("N", Long.toString(Instant.now().getEpochSecond() - 60));
            viaA.call("PutItem", Measured.put(item));
        }

        // Then
        for (int n = 0; n < 10; n++) {
            ObjectNode get = Measured.get(Measured.key("gone-" + n, n));
            await().atMost(SOON)
                    .until(() -> viaB.call("GetItem", get).path("Item").isMissingNode());
        }
        CountedLoad.awaitNoLag(viaA);
        agree(viaA, viaB);

        // When: an index comes through b, and two items have a value that none of its keys can have
        for (int n = 0; n < 2; n++) {
            ObjectNode item = Measured.item("violating-" + n, n);
            item.putObject("note").put("N", "1");
            viaA.call("PutItem", Measured.put(item));
        }
        viaB.call("UpdateTable", addIndex());
        ObjectNode describe = Measured.request(r -> r);
        await().atMost(SOON)
                .untilAsserted(
                        () -> {
                            JsonNode described = viaA.call("DescribeTable", describe);
                            assertThat(statuses(described)).containsExactly("ACTIVE");
                            assertThat(described.at("/Table/GlobalSecondaryIndexes")).hasSize(4);
                            assertThat((Object) viaB.call("DescribeTable", describe))
                                    .isEqualTo(described);
                        });
        ObjectNode byNote = Measured.request(r -> r.put("IndexName", "byNote"));
        assertThat(viaA.call("Scan", byNote).path("Count").asInt()).isEqualTo(59);
        assertThat(viaB.call("Scan", byNote).path("Count").asInt()).isEqualTo(59);
        JsonNode violations = viaA.call("Tidemark.ListIndexViolations", byNote);
        assertThat(violations.path("Violations").findValuesAsText("ActualType"))
                .containsExactly("N", "N");
        assertThat((Object) viaB.call("Tidemark.ListIndexViolations", byNote).path("Violations"))
                .isEqualTo(violations.path("Violations"));
        await().atMost(SOON)
                .untilAsserted(
                        () ->
                                assertThat(
                                                viaB.call("Tidemark.ListIndexViolations", byNote)
                                                        .path("TotalCount")
                                                        .asInt())
                                        .isEqualTo(2));

        // When: indexes are compared with the table, whose partitions are here and there
        assertThat(verified(viaA, "byNote", false).path("Equal").asBoolean()).isTrue();
        assertThat(verified(viaB, "byGroup", true).path("Equal").asBoolean()).isTrue();

        // When: a node that only takes requests joins
        ServerProcess c = node("c", "--roles", "ingest,query");
        ServerProcess d = node("d", "--roles", "query");

        // Then
        agree(viaA, c.endpoint());
        agree(viaA, d.endpoint());
        JsonNode seenFromD = verified(d.endpoint(), "byNote", false);
        assertThat(seenFromD.path("Equal").asBoolean()).isTrue();
        assertThat(seenFromD.path("Partitions")).hasSize(PARTITIONS);
        long entries = 0;
        for (JsonNode partition : seenFromD.path("Partitions")) {
            entries += partition.at("/Present/Count").asLong();
        }
        assertThat(entries).isEqualTo(59);
        c.endpoint().call("PutItem", Measured.put(Measured.item("from-c", 1)));
        d.endpoint().call("PutItem", Measured.put(Measured.item("from-d", 1)));
        ObjectNode get = Measured.get(Measured.key("from-d", 1));
        assertThat(viaA.call("GetItem", get).path("Item")).isEqualTo(Measured.item("from-d", 1));
        assertThat(d.endpoint().call("GetItem", get).path("Item"))
                .isEqualTo(Measured.item("from-d", 1));
        assertThat(d.endpoint().call("Tidemark.ListIndexViolations", byNote).path("Count").asInt())
                .isEqualTo(2);
        assertThat(LagReading.all(d.endpoint()))
                .hasSize(4)
                .allSatisfy(reading -> assertThat(reading.lag()).isPresent());

        // When: the table goes
        viaB.call("DeleteTable", Measured.request(r -> r));
        await().atMost(SOON)
                .untilAsserted(
                        () -> {
                            ObjectNode all = Endpoint.JSON.createObjectNode();
                            assertThat(viaA.call("ListTables", all).path("TableNames")).isEmpty();
                            assertThat(d.endpoint().call("ListTables", all).path("TableNames"))
                                    .isEmpty();
                        });
    }

    @Test
    void whenANodeIsKilledTheOtherGoesOnWithNothingLostAndNothingTwice() {
        // Given
        ServerProcess a = node("a");
        ServerProcess b = node("b");
        create(a);
        awaitShared(a, "a", "b");
        readOwnWrites(b, a);
        List<String> positions = writeThrough(b, "before-the-kill");
        AtomicBoolean isBUp = new AtomicBoolean(true);
        List<ServerProcess> second = new ArrayList<>(List.of(b));
        KnownItems known = new KnownItems(a::uri);
        known.put();
        CountedLoad.awaitNoLag(a.endpoint());
        known.start();
        try (known;
                CountedLoad load =
                        CountedLoad.start(
                                "cluster",
                                WRITERS,
                                step ->
                                        step % 3 == 0 && isBUp.get()
                                                ? second.get(second.size() - 1).uri()
                                                : a.uri())) {
            load.awaitWrites(500);

            // When
            long killed = System.nanoTime();
            b.kill();
            isBUp.set(false);
            awaitOwners(a, Set.of("a"));
            load.awaitWrites(300);
            known.awaitAllRight();
            assertThat(countAfter(a, "before-the-kill", String.join(",", positions)))
                    .isEqualTo(positions.size());
            Duration failover = Duration.ofNanos(System.nanoTime() - killed);
            LOGGER.warn(
                    "after the kill of a node all is answered again within {}; longest outage of a"
                            + " read {}; {} faults, {} right",
                    failover,
                    known.longestOutage(),
                    known.faults(),
                    known.right());

            // When: it comes back
            ServerProcess again = b.startAgain();
            servers.add(again);
            second.add(again);
            isBUp.set(true);
            LOGGER.warn("the killed node is ready again in {}", again.startTime());
            long back = System.nanoTime();
            awaitShared(a, "a", "b");
            LOGGER.warn(
                    "the killed node has partitions again after {}",
                    Duration.ofNanos(System.nanoTime() - back));
            load.awaitWrites(300);

            // When: it leaves in order
            long leaves = System.nanoTime();
            isBUp.set(false);
            again.stop();
            awaitOwners(a, Set.of("a"));
            load.awaitWrites(300);
            known.awaitAllRight();
            LOGGER.warn(
                    "after a node left in order all is answered again within {}",
                    Duration.ofNanos(System.nanoTime() - leaves));
            load.stop();

            // Then
            assertThat(known.wrong()).isEmpty();
            load.verify(a.endpoint());
        }
        assertThat(known.wrong()).isEmpty();
    }

    private ServerProcess node(String id, String... more) {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(
                List.of("--bootstrap-servers", broker.bootstrapServers(), "--node-id", id));
        arguments.addAll(List.of("--set", "table.partitions=" + PARTITIONS));
        arguments.addAll(List.of("--set", "expiry.interval=1s"));
        arguments.addAll(List.of(more));
        ServerProcess server =
                ServerProcess.start(folder.resolve(id), arguments.toArray(new String[0]));
        servers.add(server);
        return server;
    }

    /** Writes through one node and reads an index through the other, each time after the write. */
    private static void readOwnWrites(ServerProcess writer, ServerProcess reader) {
        for (int time = 0; time < 20; time++) {
            String group = "own-" + time;
            List<String> positions = writeThrough(writer, group);
            assertThat(countAfter(reader, group, String.join(",", positions)))
                    .isEqualTo(positions.size());
        }
    }

    /** Puts items of one index key in several partitions; returns where the writes stand. */
    private static List<String> writeThrough(ServerProcess server, String group) {
        List<String> positions = new ArrayList<>();
        for (int number = 0; number < 5; number++) {
            ObjectNode item = Measured.item(group + "-" + number, 1);
            item.putObject("group").put("S", group);
            OneTry.Answer answer = new OneTry().call(server.uri(), "PutItem", Measured.put(item));
            assertThat(answer.isOk()).as(() -> answer.body().toString()).isTrue();
            positions.add(answer.position());
        }
        return positions;
    }

    /** Reads an index after a position, and again while the answer is a fault that passes. */
    private static int countAfter(ServerProcess server, String group, String positions) {
        return await().atMost(SOON)
                .until(
                        () ->
                                new OneTry()
                                        .call(
                                                server.uri(),
                                                "Query",
                                                Measured.queryGroup(group),
                                                "x-tidemark-after",
                                                positions),
                        OneTry.Answer::isOk)
                .body()
                .path("Count")
                .asInt(-1);
    }

    private static void create(ServerProcess server) {
        server.endpoint().call("CreateTable", Measured.create());
        await().atMost(SOON)
                .until(
                        () ->
                                statuses(
                                                server.endpoint()
                                                        .call(
                                                                "DescribeTable",
                                                                Measured.request(r -> r)))
                                        .equals(Set.of("ACTIVE")));
    }

    private static Set<String> statuses(JsonNode described) {
        Set<String> found = new HashSet<>();
        found.add(described.at("/Table/TableStatus").asText());
        described
                .at("/Table/GlobalSecondaryIndexes")
                .forEach(index -> found.add(index.path("IndexStatus").asText()));
        return found;
    }

    private static ObjectNode expiring(ObjectNode request) {
        request.putObject("TimeToLiveSpecification")
                .put("Enabled", true)
                .put("AttributeName", "end");
        return request;
    }

    private static ObjectNode addIndex() {
        ObjectNode update =
                Measured.json(
                        """
                        {"AttributeDefinitions": [{"AttributeName": "note", "AttributeType": "S"}],
                         "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "byNote",
                           "KeySchema": [{"AttributeName": "note", "KeyType": "HASH"}],
                           "Projection": {"ProjectionType": "ALL"}}}]}
                        """);
        return update.put("TableName", Measured.TABLE);
    }

    private static ObjectNode batch(int from, int count) {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        for (int n = from; n < from + count; n++) {
            body.withObject("/RequestItems")
                    .withArray(Measured.TABLE)
                    .addObject()
                    .putObject("PutRequest")
                    .set("Item", Measured.item("batch-" + n % 10, n));
        }
        return body;
    }

    /** Asserts that both answer scans of the table and its indexes, and a batch, alike. */
    private static ObjectNode lettingStrongReadsWait(Endpoint server) {
        JsonNode described = server.call("DescribeTable", Measured.request(r -> r));
        ObjectNode request = Endpoint.JSON.createObjectNode();
        request.put("ResourceArn", described.at("/Table/TableArn").asText());
        request.putArray("Tags")
                .addObject()
                .put("Key", "tidemark:gsi-consistent-read")
                .put("Value", "wait");
        return request;
    }

    private static ObjectNode strongScan() {
        return Measured.request(r -> r.put("IndexName", "byGroup").put("ConsistentRead", true));
    }

    /** A node knows of a new tag as soon as it has read the catalog that far. */
    private static boolean readsStrongly(Endpoint server) {
        try {
            server.call("Scan", strongScan());
            return true;
        } catch (EndpointException e) {
            return false;
        }
    }

    /** Returns what a comparison of an index with the table found, whichever node does it. */
    private static JsonNode verified(Endpoint server, String index, boolean repairs) {
        JsonNode started =
                server.call(
                        "Tidemark.VerifyIndex",
                        Measured.request(r -> r.put("IndexName", index).put("Repair", repairs)));
        ObjectNode ask = Measured.request(r -> r);
        ask.set("VerificationId", started.path("VerificationId"));
        return await().atMost(SOON)
                .until(
                        () -> server.call("Tidemark.DescribeIndexVerification", ask),
                        state -> state.has("FinishedAt"));
    }

    private static void agree(Endpoint one, Endpoint other) {
        for (String index : List.of("", "byQuality", "byGroup", "bySeverity", "byCount")) {
            ObjectNode scan = Measured.request(r -> r);
            if (!index.isEmpty()) {
                scan.put("IndexName", index);
            }
            JsonNode found = one.call("Scan", scan);
            assertThat(found.path("Count").asInt()).as(index).isPositive();
            assertThat(other.call("Scan", scan)).as(index).isEqualTo(found);
        }
        for (int n = 0; n < 10; n++) {
            ObjectNode query = Measured.query("pk-" + n);
            assertThat(other.call("Query", query)).isEqualTo(one.call("Query", query));
            ObjectNode local = Measured.query("pk-" + n).put("IndexName", "byQuality");
            assertThat(other.call("Query", local)).isEqualTo(one.call("Query", local));
        }
        ObjectNode batch = Endpoint.JSON.createObjectNode();
        for (int n = 0; n < 20; n++) {
            batch.withObject("/RequestItems")
                    .withObject("/" + Measured.TABLE)
                    .withArray("Keys")
                    .add(Measured.key("pk-" + n % 10, n));
        }
        assertThat(other.call("BatchGetItem", batch).at("/Responses/" + Measured.TABLE))
                .hasSize(20)
                .containsExactlyInAnyOrderElementsOf(
                        one.call("BatchGetItem", batch).at("/Responses/" + Measured.TABLE));
    }

    private void awaitShared(ServerProcess seenFrom, String... nodes) {
        awaitOwners(seenFrom, Set.of(nodes));
    }

    /** Waits until these nodes, and no others, have partitions of the table and of its indexes. */
    private void awaitOwners(ServerProcess seenFrom, Set<String> nodes) {
        try (Owners owners = new Owners(broker.bootstrapServers())) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(
                            () ->
                                    assertThat(owners.byGroup())
                                            .hasSize(4)
                                            .allSatisfy(
                                                    (group, found) ->
                                                            assertThat(found).isEqualTo(nodes)));
        }
        assertThat(seenFrom.isAlive()).isTrue();
    }
}
