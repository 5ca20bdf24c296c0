package dev.tidemark.launcher.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/** A table's topics, as any Kafka client finds them. */
final class TableLog {

    private final String bootstrapServers;
    private final String prefix;

    TableLog(String bootstrapServers, String table) {
        this.bootstrapServers = bootstrapServers;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> names = admin.listTopics().names().get();
            this.prefix =
                    names.stream()
                            .filter(name -> name.startsWith("td." + table + "."))
                            .filter(name -> name.endsWith(".writes"))
                            .map(name -> name.substring(0, name.length() - "writes".length()))
                            .findFirst()
                            .orElseThrow();
        } catch (ExecutionException e) {
            throw new IllegalStateException("No list of topics", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    String writes() {
        return prefix + "writes";
    }

    String changes() {
        return prefix + "changes";
    }

    String rejects() {
        return prefix + "rejects";
    }

    /** Returns once the log shows a record to those who read what is committed. */
    void awaitCommitted(RecordMetadata sent) {
        TopicPartition partition = new TopicPartition(sent.topic(), sent.partition());
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        Map<String, Object> committed =
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(committed, bytes, bytes)) {
            Awaitility.await()
                    .atMost(Wire.SOON)
                    .pollInterval(Duration.ofMillis(1))
                    .until(
                            () ->
                                    consumer.endOffsets(List.of(partition))
                                                    .getOrDefault(partition, 0L)
                                            > sent.offset());
        }
    }

    /** Returns the first committed records of a topic, once there are so many. */
    List<ConsumerRecord<byte[], byte[]>> await(String topic, int count) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers",
                                bootstrapServers,
                                "isolation.level",
                                "read_committed",
                                "auto.offset.reset",
                                "earliest"),
                        bytes,
                        bytes)) {
            consumer.assign(
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .collect(Collectors.toList()));
            Awaitility.await()
                    .atMost(Wire.SOON)
                    .until(
                            () -> {
                                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
                                return found.size() >= count;
                            });
        }
        return found;
    }
}
