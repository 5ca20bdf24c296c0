package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.cli.RootCommand;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.node.Node;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.wire.ItemCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An index is compared with its table, and mended, while writes go on. It is made wrong by records
 * in the topic it is restored from that its app did not write.
 */
class IndexVerifyIT {

    private static final Map<String, String> SETTINGS = Map.of("index.verify-interval", "2s");
    private static final int PARTITIONS = 2;

    private static SharedNode.RunningNode running;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(SETTINGS);
    }

    @AfterAll
    static void stop() throws IOException {
        running.close();
    }

    @Test
    void soundIndexesEqualTheirTableWhileItIsWrittenTo() {
        wire().create(
                        TableRequest.of("Sound", "pk:S,sk:S")
                                .global("byG", "g:S,pk:S", "KEYS_ONLY")
                                .global("byH", "h:S", "ALL"));
        fill("Sound", 400);

        try (Load load = new Load("Sound", 7)) {
            for (int times = 0; times < 6; times++) {
                long written = load.writes();
                await().atMost(Wire.SOON).until(() -> load.writes() > written + 50);
                Outcome all = cli("index", "verify", "Sound", "--json");

                assertThat(all.exit).as(all.text()).isZero();
                for (JsonNode one : all.json()) {
                    assertThat(one.path("Equal").asBoolean()).isTrue();
                    for (JsonNode partition : one.path("Partitions")) {
                        assertThat(partition.path("Present")).isEqualTo(partition.path("Expected"));
                        assertThat(partition.path("SequenceNumber").asLong()).isPositive();
                    }
                }
            }
        }
        Outcome text = cli("index", "verify", "Sound", "byG");
        assertThat(text.exit).isZero();
        assertThat(text.text()).contains("Sound byG (generation 1) equals its table.");
    }

    @Test
    void whatIsWrongIsFoundByKeyAndMendedWhileWritesGoOn() throws IOException {
        // Given
        wire().create(
                        TableRequest.of("Wrong", "pk:S,sk:S")
                                .global("byG", "g:S,pk:S", "ALL")
                                .global("byH", "h:S", "ALL"));
        fill("Wrong", 300);
        Map<String, String> wrong = new HashMap<>();
        try (Changelog byG = new Changelog("Wrong", "byG")) {
            for (int each = 0; each < 5; each++) {
                byG.write(entry(each), null);
                wrong.put("still-" + each, "MISSING");
                byG.write(entry(10 + each), carried("g" + (10 + each) % 7, 10 + each, "changed"));
                wrong.put("still-" + (10 + each), "DIFFERENT");
                byG.write(new Key("elsewhere", "still-" + (20 + each)), Item.EMPTY);
                wrong.put("still-" + (20 + each), "DANGLING");
                byG.write(new Key("g1", "never-" + each), carried("g1", each, "x"));
                wrong.put("never-" + each, "DANGLING");
            }
        }
        restartWithoutStoresOf("Wrong", "byG");
        assertThat(wire().call("Query", Items.query("Wrong", "byG", "g = :0", "elsewhere")).count())
                .isEqualTo(5);

        try (Load load = new Load("Wrong", 11)) {
            // When
            Outcome verified = cli("index", "verify", "Wrong", "byG", "--json");

            // Then
            assertThat(verified.exit).isEqualTo(1);
            JsonNode found = verified.json().get(0);
            assertThat(kinds(found)).isEqualTo(wrong);
            assertThat(found.path("Missing").asInt()).isEqualTo(5);
            assertThat(found.path("Different").asInt()).isEqualTo(5);
            assertThat(found.path("Dangling").asInt()).isEqualTo(10);
            assertThat(found.path("Equal").asBoolean()).isFalse();
            assertThat(found.path("Complete").asBoolean()).isTrue();
            assertThat(cli("index", "verify", "Wrong", "byH").exit).isZero();
            Outcome text = cli("index", "verify", "Wrong");
            assertThat(text.exit).isEqualTo(1);
            assertThat(text.text())
                    .contains("Wrong byG (generation 1): 5 missing, 10 dangling, 5 different.")
                    .contains("Wrong byH (generation 1) equals its table.")
                    .contains("never-3");
            await().atMost(Wire.SOON)
                    .untilAsserted(
                            () ->
                                    assertThat(verifyMetric("dangling", "Wrong", "byG"))
                                            .isEqualTo("10.0"));

            // When
            Outcome repaired = cli("index", "repair", "Wrong", "byG", "--json");

            // Then
            assertThat(repaired.exit).as(repaired.text()).isZero();
            JsonNode mended = repaired.json().get(0);
            assertThat(kinds(mended.path("Before"))).isEqualTo(wrong);
            assertThat(mended.path("Mended").asInt()).isEqualTo(20);
            assertThat(mended.path("Equal").asBoolean()).isTrue();
            assertThat(load.writes()).isPositive();
        }
        assertThat(cli("index", "verify", "Wrong").exit).isZero();
        assertThat(wire().call("Query", Items.query("Wrong", "byG", "g = :0", "elsewhere")).count())
                .isZero();
        Outcome again = cli("index", "repair", "Wrong", "byG", "--json");
        assertThat(again.exit).isZero();
        assertThat(again.json().get(0).path("Mended").asInt()).isZero();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(verifyMetric("dangling", "Wrong", "byG"))
                                        .isEqualTo("0.0"));
    }

    @Test
    void whatNoChangeReachesIsSaidAndRebuilt() throws IOException {
        wire().create(TableRequest.of("Stray", "pk:S,sk:S").global("byG", "g:S,pk:S", "ALL"));
        fill("Stray", 50);
        try (Changelog byG = new Changelog("Stray", "byG")) {
            Key key = entry(3);
            byG.write(1 - key.partition(), key.storageKey(), ItemCodec.encode(Item.EMPTY));
            byG.write(0, new byte[] {1, 2, 3}, new byte[] {1});
        }
        restartWithoutStoresOf("Stray", "byG");

        Outcome repaired = cli("index", "repair", "Stray", "byG");
        assertThat(repaired.exit).isEqualTo(1);
        assertThat(repaired.text()).contains("0 missing, 2 dangling, 0 different");
        assertThat(repaired.err).contains("tidemark index rebuild Stray byG");

        assertThat(cli("index", "rebuild", "Stray", "byG", "--wait").exit).isZero();
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(cli("index", "verify", "Stray", "byG").text())
                                        .contains("(generation 2) equals its table"));
    }

    @Test
    void moreThanIsListedIsCountedAndMended() throws IOException {
        int items = 1_200;
        wire().create(TableRequest.of("Many", "pk:S,sk:S").global("byG", "g:S,pk:S", "ALL"));
        fill("Many", items);
        try (Changelog byG = new Changelog("Many", "byG")) {
            for (int each = 0; each < items; each++) {
                byG.write(entry(each), null);
            }
        }
        restartWithoutStoresOf("Many", "byG");

        Outcome verified = cli("index", "verify", "Many", "byG", "--json");
        assertThat(verified.exit).isEqualTo(1);
        assertThat(verified.json().get(0).path("Missing").asInt()).isEqualTo(items);
        assertThat(verified.json().get(0).path("Differences")).hasSize(1_000);

        Outcome repaired = cli("index", "repair", "Many", "byG");
        assertThat(repaired.exit).as(repaired.text()).isZero();
        assertThat(repaired.text())
                .contains("and 200 more")
                .contains("was 1200 missing, 0 dangling, 0 different; 1200 mended.");
        assertThat(wire().call("Scan", Items.scan("Many", "byG")).count()).isEqualTo(items);

        // nobody asks for the next one
        double last = Double.parseDouble(verifyMetric("last_time_seconds", "Many", "byG"));
        await().atMost(Wire.SOON)
                .untilAsserted(
                        () ->
                                assertThat(
                                                Double.parseDouble(
                                                        verifyMetric(
                                                                "last_time_seconds",
                                                                "Many",
                                                                "byG")))
                                        .isGreaterThan(last));
    }

    @Test
    void whoAsksForWhatThereIsNotIsTold() {
        wire().create(TableRequest.of("Asked", "pk:S,sk:S").global("byG", "g:S,pk:S", "ALL"));

        wire().call("Tidemark.VerifyIndex", Items.request("Asked").put("IndexName", "none"))
                .refused("ResourceNotFoundException");
        wire().call("Tidemark.VerifyIndex", Items.request("Asked")).refused("ValidationException");
        wire().call(
                        "Tidemark.VerifyIndex",
                        Items.request("Asked").put("IndexName", "byG").put("Generation", 7))
                .refused("ResourceNotFoundException");
        wire().call(
                        "Tidemark.DescribeIndexVerification",
                        Items.request("Asked").put("VerificationId", "0123"))
                .refused("ResourceNotFoundException");
        assertThat(cli("index", "verify", "Absent").exit).isEqualTo(2);
        assertThat(cli("index", "verify", "Asked", "--generation", "2").exit).isEqualTo(2);
        assertThat(cli("index", "repair", "Asked").exit).isEqualTo(2);
        wire().call("Tidemark.ReadRows", Items.request("Asked"))
                .refused("UnknownOperationException");
    }

    private static Wire wire() {
        return running.wire();
    }

    private static String verifyMetric(String what, String table, String index) {
        return wire().metric(
                        "tidemark_index_verify_" + what,
                        "table=\"" + table + "\"",
                        "index=\"" + index + "\"");
    }

    private static Map<String, String> kinds(JsonNode report) {
        Map<String, String> kinds = new HashMap<>();
        for (JsonNode each : report.path("Differences")) {
            String pk = each.path("Key").path("pk").path("S").asText();
            assertThat(kinds.put(pk, each.path("Kind").asText())).isNull();
        }
        return kinds;
    }

    private static void fill(String table, int count) {
        List<CompletableFuture<Wire.Answer>> answers =
                IntStream.range(0, count)
                        .mapToObj(
                                each ->
                                        wire().send(
                                                        "PutItem",
                                                        Items.request(table)
                                                                .<ObjectNode>set(
                                                                        "Item",
                                                                        Items.item(
                                                                                "pk",
                                                                                "still-" + each,
                                                                                "sk",
                                                                                "s",
                                                                                "g",
                                                                                "g" + each % 7,
                                                                                "h",
                                                                                "h" + each % 3,
                                                                                "n",
                                                                                each))
                                                                .toString()))
                        .toList();
        answers.forEach(answer -> answer.join().ok());
    }

    /** The place of an entry of {@link #fill} in byG. */
    private static Key entry(int each) {
        return new Key("g" + each % 7, "still-" + each);
    }

    private static Item carried(String g, int each, String note) {
        return new Item(
                Map.of(
                        "pk",
                        new AttributeValue.S("still-" + each),
                        "g",
                        new AttributeValue.S(g),
                        "note",
                        new AttributeValue.S(note)));
    }

    /** Where an entry of byG lies. */
    private record Key(String g, String pk) {

        byte[] storageKey() {
            AttributeValue partition = new AttributeValue.S(pk);
            return StorageKeys.globalEntry(
                    new PrimaryKey(List.of(new AttributeValue.S(g)), List.of(partition)),
                    new PrimaryKey(List.of(partition), List.of(new AttributeValue.S("s"))));
        }

        int partition() {
            return Partitioning.partition(
                    Partitioning.recordKey(List.of(new AttributeValue.S(g))), PARTITIONS);
        }
    }

    private static String application(String table, String index) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            String end = "-entries-changelog";
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("td." + table + ".") && name.endsWith(end))
                    .filter(name -> name.contains(".gsi." + index + "."))
                    .map(name -> name.substring(0, name.length() - end.length()))
                    .findFirst()
                    .orElseThrow();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String bootstrap() {
        return running.node().bootstrapServers();
    }

    private static void restartWithoutStoresOf(String table, String index) throws IOException {
        Path store = running.folder().resolve("stores").resolve(application(table, index));
        assertThat(store).isDirectory();
        running.node().close();
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        Node node = Node.start(SharedNode.RunningNode.config(running.folder(), SETTINGS));
        running = new SharedNode.RunningNode(node, new Wire(node.uri()), running.folder());
    }

    /** Writes into the topic that an index is restored from. */
    private static final class Changelog implements AutoCloseable {

        private final String topic;
        private final KafkaProducer<byte[], byte @Nullable []> producer;

        Changelog(String table, String index) {
            topic = application(table, index) + "-entries-changelog";
            producer =
                    new KafkaProducer<>(
                            Map.of("bootstrap.servers", bootstrap()),
                            new ByteArraySerializer(),
                            new ByteArraySerializer());
        }

        void write(Key key, @Nullable Item item) {
            write(key.partition(), key.storageKey(), item == null ? null : ItemCodec.encode(item));
        }

        void write(int partition, byte[] key, byte @Nullable [] value) {
            var unused = producer.send(new ProducerRecord<>(topic, partition, key, value));
        }

        @Override
        public void close() {
            producer.close();
        }
    }

    /** Puts, re-keys and deletes items of its own, one after another. */
    private static final class Load implements AutoCloseable {

        private final AtomicBoolean ends = new AtomicBoolean();
        private final AtomicLong writes = new AtomicLong();
        private final List<CompletableFuture<Void>> writers = new ArrayList<>();

        Load(String table, long seed) {
            for (int number = 0; number < 4; number++) {
                Random random = new Random(seed + number);
                writers.add(CompletableFuture.runAsync(() -> write(table, random)));
            }
        }

        private void write(String table, Random random) {
            while (!ends.get()) {
                String pk = "moving-" + random.nextInt(200);
                if (random.nextInt(4) == 0) {
                    wire().delete(table, Items.item("pk", pk, "sk", "s")).ok();
                } else {
                    wire().put(
                                    table,
                                    Items.item(
                                            "pk",
                                            pk,
                                            "sk",
                                            "s",
                                            "g",
                                            "g" + random.nextInt(7),
                                            "h",
                                            "h" + random.nextInt(3),
                                            "n",
                                            random.nextInt(3)))
                            .ok();
                }
                writes.incrementAndGet();
            }
        }

        long writes() {
            return writes.get();
        }

        @Override
        public void close() {
            ends.set(true);
            writers.forEach(CompletableFuture::join);
        }
    }

    /** What a command printed and exited with. */
    private record Outcome(int exit, String text, String err) {

        List<JsonNode> json() {
            return text.lines()
                    .map(
                            line -> {
                                try {
                                    return Endpoint.JSON.readTree(line);
                                } catch (IOException e) {
                                    throw new IllegalStateException(line, e);
                                }
                            })
                    .toList();
        }
    }

    private static Outcome cli(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--endpoint");
        all.add(running.node().uri().toString());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit =
                RootCommand.run(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }
}
