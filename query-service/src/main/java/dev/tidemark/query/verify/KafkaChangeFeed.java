package dev.tidemark.query.verify;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads a table's topic of changes, what is committed of it, in no group. */
public final class KafkaChangeFeed implements ChangeFeed {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final KafkaConsumer<byte[], byte @Nullable []> consumer;
    private final ChangeCodec codec;
    private long[] given = {};

    private KafkaChangeFeed(
            KafkaConsumer<byte[], byte @Nullable []> consumer,
            ChangeCodec codec,
            TableDefinition table) {
        this.consumer = consumer;
        this.codec = codec;
        List<TopicPartition> partitions =
                IntStream.range(0, table.partitions())
                        .mapToObj(number -> new TopicPartition(table.topics().changes(), number))
                        .toList();
        consumer.assign(partitions);
        // where committed records end now: what is older and not committed yet is left out by
        // number
        consumer.endOffsets(partitions, AT_MOST).forEach(consumer::seek);
    }

    /**
     * Returns the source of feeds from one Kafka.
     *
     * @param client how to reach it
     */
    public static Source source(Map<String, Object> client, SchemaRegistry registry) {
        return table -> {
            Map<String, Object> settings = new HashMap<>(client);
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
            KafkaConsumer<byte[], byte @Nullable []> consumer =
                    new KafkaConsumer<>(
                            settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            boolean opened = false;
            try {
                KafkaChangeFeed feed =
                        new KafkaChangeFeed(
                                consumer, new ChangeCodec(registry, table.key()), table);
                opened = true;
                return feed;
            } finally {
                if (!opened) {
                    consumer.close();
                }
            }
        };
    }

    @Override
    public void begin(List<Position> last) {
        given = last.stream().mapToLong(Position::sequence).toArray();
    }

    @Override
    public void readUpTo(List<Position> last, Consumer<ChangeRecord> to) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (last.stream().anyMatch(each -> given[each.partition()] < each.sequence())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("The table's changes do not come in time");
            }
            for (ConsumerRecord<byte[], byte @Nullable []> record : consumer.poll(POLL)) {
                change(record.value()).ifPresent(change -> give(change, to));
            }
        }
    }

    /** A tombstone of a compacted topic is no change. */
    private Optional<ChangeRecord> change(byte @Nullable [] value) {
        return Optional.ofNullable(value).map(codec::decode);
    }

    private void give(ChangeRecord change, Consumer<ChangeRecord> to) {
        Position position = change.origin().position();
        long before = given[position.partition()];
        if (position.sequence() <= before) {
            return;
        }
        if (position.sequence() > before + 1) {
            throw new IllegalStateException("Changes of the table are gone from its log");
        }
        given[position.partition()] = position.sequence();
        to.accept(change);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
