package dev.tidemark.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerProcessIT {

    private static final TopicPartition PARTITION = new TopicPartition("readings", 0);

    @TempDir Path folder;

    @Test
    void whatWasAcknowledgedSurvivesAKill() throws Exception {
        // Given
        List<Integer> acknowledged = new CopyOnWriteArrayList<>();
        BrokerProcess first = BrokerProcess.start(folder);
        createTopic(first);

        // When
        try (KafkaProducer<Integer, Integer> producer = producer(first)) {
            CompletableFuture<Void> writes =
                    CompletableFuture.runAsync(() -> writeUntilRefused(producer, acknowledged));
            await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.size() > 500);
            first.kill();
            try (BrokerProcess second = first.startAgain()) {
                await().atMost(Duration.ofSeconds(60)).until(writes::isDone);

                // Then
                assertThat(second.bootstrapServers()).isEqualTo(first.bootstrapServers());
                assertThat(values(second, acknowledged.size())).containsAll(acknowledged);
            }
        }
    }

    @Test
    void aFolderInUseByAnotherProcessIsRefused() {
        try (BrokerProcess holder = BrokerProcess.start(folder)) {
            // When
            assertThatThrownBy(() -> BrokerProcess.start(folder))
                    // Then
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is in use by another running broker");
            assertThat(holder.bootstrapServers()).startsWith("127.0.0.1:");
        }
    }

    private static void writeUntilRefused(
            KafkaProducer<Integer, Integer> producer, List<Integer> acknowledged) {
        for (int number = 0; ; number++) {
            int value = number;
            try {
                producer.send(
                                new ProducerRecord<>(PARTITION.topic(), value),
                                (where, failure) -> {
                                    if (failure == null) {
                                        acknowledged.add(value);
                                    }
                                })
                        .get();
            } catch (ExecutionException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static KafkaProducer<Integer, Integer> producer(BrokerProcess broker) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", broker.bootstrapServers(),
                        "acks", "all",
                        "request.timeout.ms", 500,
                        "delivery.timeout.ms", 600,
                        "max.block.ms", 600),
                new IntegerSerializer(),
                new IntegerSerializer());
    }

    private static void createTopic(BrokerProcess broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1))).all().get();
        }
    }

    private static List<Integer> values(BrokerProcess broker, int count) {
        List<Integer> values = new ArrayList<>();
        try (KafkaConsumer<Integer, Integer> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers()),
                        new IntegerDeserializer(),
                        new IntegerDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> {
                                consumer.poll(Duration.ofMillis(100))
                                        .forEach(row -> values.add(row.value()));
                                return values.size() >= count;
                            });
        }
        return values;
    }
}
