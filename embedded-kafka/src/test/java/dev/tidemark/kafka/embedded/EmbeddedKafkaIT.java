package dev.tidemark.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.internals.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {

    private static final String TOPIC = "readings";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

    @TempDir Path folder;

    @Test
    void recordsComeBackInTheOrderTheyWereSent() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder))) {
            // Given
            createTopic(kafka);

            // When
            send(kafka, 0, 100, 10);

            // Then
            assertThat(values(kafka, 100)).isEqualTo(numbered(0, 100));
        }
    }

    @Test
    void aRecordWithTwoLargestItemsFits() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder))) {
            // Given
            createTopic(kafka);

            // When
            send(kafka, 0, 1, 2 * 400 * 1024);

            // Then
            assertThat(values(kafka, 1)).isEqualTo(List.of(0));
        }
    }

    @Test
    void dataOutlivesARestartOnAnotherPort() throws Exception {
        // Given
        String firstAddress;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder))) {
            createTopic(kafka);
            send(kafka, 0, 10, 10);
            firstAddress = kafka.bootstrapServers();
        }

        // When
        try (ServerSocket holdsTheOldPort = new ServerSocket(portOf(firstAddress));
                EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder))) {
            send(kafka, 10, 10, 10);

            // Then
            assertThat(portOf(kafka.bootstrapServers()))
                    .isNotEqualTo(holdsTheOldPort.getLocalPort());
            assertThat(values(kafka, 20)).isEqualTo(numbered(0, 20));
        }
    }

    @Test
    void aPortThatWasAskedForIsTheOneThatIsUsed() throws Exception {
        // Given
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }

        // When
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder).onPort(port))) {

            // Then
            assertThat(kafka.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
        }
    }

    @Test
    void aFolderInUseIsRefusedAndItsHolderGoesOn() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder))) {
            // When
            assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder)))
                    // Then
                    .isInstanceOf(EmbeddedKafkaException.class)
                    .hasMessage(
                            "Kafka data folder " + folder + " is in use by another running broker");
            createTopic(kafka);
            send(kafka, 0, 1, 10);
        }
    }

    @Test
    void aTakenPortIsRefusedAndTheFolderIsFreeAgain() throws Exception {
        // Given
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            // When
            assertThatThrownBy(
                            () -> EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder).onPort(port)))
                    // Then
                    .isInstanceOf(EmbeddedKafkaException.class)
                    .hasMessage(
                            "Kafka port %d on 127.0.0.1 can't be used: Address already in use",
                            port);
        }
        EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder)).close();
    }

    @Test
    void aFolderThatCanNotBeMadeIsRefused() throws IOException {
        // Given
        Path file = Files.createFile(folder.resolve("file"));

        // When
        assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafkaConfig.in(file.resolve("data"))))
                // Then
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageStartingWith("Kafka data folder " + file.resolve("data") + " can't be");
    }

    @Test
    void dataOfAnotherClusterIsRefusedWithItsReason() throws IOException {
        // Given
        Files.createDirectories(folder.resolve("log"));
        Files.writeString(
                folder.resolve("log").resolve("meta.properties"),
                "version=1\ncluster.id=some-other-cluster0000\nnode.id=7\n");

        // When
        assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder)))
                // Then
                .isInstanceOf(EmbeddedKafkaException.class)
                .hasMessageStartingWith("Kafka can't use data folder " + folder + ": ")
                .hasMessageContaining("7");
    }

    @Test
    void theWishToEndTheProcessBecomesNewsForTheListener() {
        // Given
        List<String> reasons = new CopyOnWriteArrayList<>();
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder));
        kafka.onFatal(
                reason -> {
                    kafka.close();
                    reasons.add(reason);
                });

        // When
        assertThatThrownBy(() -> Exit.halt(1, "the log folder failed")).isInstanceOf(Error.class);

        // Then
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(reasons).containsExactly("the log folder failed"));
    }

    @Test
    void closingGivesUpPortAndFolderOnceAndForAll() throws Exception {
        // Given
        EmbeddedKafka first = EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder));
        int port = portOf(first.bootstrapServers());

        // When
        first.close();

        // Then
        try (EmbeddedKafka second =
                EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder).onPort(port))) {
            // closed again, the first takes nothing from who has both now
            first.close();
            assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafkaConfig.in(folder)))
                    .isInstanceOf(EmbeddedKafkaException.class)
                    .hasMessageContaining("is in use");
            createTopic(second);
            send(second, 0, 1, 10);
        }
    }

    private static void createTopic(EmbeddedKafka kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
    }

    private static void send(EmbeddedKafka kafka, int first, int count, int bytes)
            throws Exception {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "acks",
                        "all",
                        "max.request.size",
                        16 * 1024 * 1024);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int number = first; number < first + count; number++) {
                byte[] value = new byte[bytes];
                value[0] = (byte) number;
                producer.send(new ProducerRecord<>(TOPIC, value)).get();
            }
        }
    }

    private static List<Integer> values(EmbeddedKafka kafka, int count) {
        List<Integer> values = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> {
                                consumer.poll(Duration.ofMillis(100))
                                        .forEach(row -> values.add((int) row.value()[0]));
                                return values.size() >= count;
                            });
        }
        return values;
    }

    private static List<Integer> numbered(int first, int end) {
        return IntStream.range(first, end).boxed().toList();
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }
}
