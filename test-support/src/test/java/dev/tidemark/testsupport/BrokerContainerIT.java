package dev.tidemark.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

class BrokerContainerIT {

    @Test
    @EnabledIf(
            value = "dev.tidemark.testsupport.BrokerContainer#isPossible",
            disabledReason = "no Docker engine runs here")
    void itTakesTransactions() throws Exception {
        try (OutsideKafka broker = BrokerContainer.start()) {
            Map<String, Object> settings =
                    Map.of(
                            "bootstrap.servers",
                            broker.bootstrapServers(),
                            "transactional.id",
                            "writer");
            try (Admin admin =
                            Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
                    KafkaProducer<Integer, Integer> producer =
                            new KafkaProducer<>(
                                    settings, new IntegerSerializer(), new IntegerSerializer())) {
                admin.createTopics(List.of(new NewTopic("readings", 1, (short) 1))).all().get();
                producer.initTransactions();
                producer.beginTransaction();
                var sent = producer.send(new ProducerRecord<>("readings", 1));
                producer.commitTransaction();
                assertThat(sent.get().offset()).isZero();
            }
        }
    }
}
