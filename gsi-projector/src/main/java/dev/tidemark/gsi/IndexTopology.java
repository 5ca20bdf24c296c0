package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.ViolationRecord;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.Stores;

/** Wires the changes of one table to one generation of one global index. */
final class IndexTopology {

    /*
     * Marks: a mark must be durable before the offsets of the changes it covers are committed, or an
     * app that stops between the two never sends it: no change would be left to send it for, and the
     * index would seem to lag until the next write. Streams flushes the caches of a task before it flushes
     * the producer, and that before it commits offsets; what a cached table's flush emits is therefore on
     * the wire in time. So the position is a cached table of one row, and its changes are marks. A flush at
     * any other moment is right as well, because a position follows the updates it covers. Between commits
     * stage 1 sends marks of its own, where readers can see them before the commit.
     *
     * Gaps: a store of one row, written once per commit, tells after a restart which change must come next,
     * and what was counted up to there. With exactly once it agrees with the committed offset. With at least once it may be ahead of it by
     * what one commit holds; those changes are read again and count as repeats.
     *
     * One key: the key of a change is in its value as well, so the source reads every key as the mark's,
     * and the table of positions needs no repartition.
     */

    static final Duration MARK_INTERVAL = Duration.ofMillis(1);

    private final TableDefinition table;
    private final GlobalIndex index;
    private final IndexGuarantee guarantee;
    private final BackfillGaps gaps;
    private final BackfillPace pace;
    private final ProgressBoard board;
    private final IndexAppListener listener;
    private final ChangeCodec changeCodec;
    private final IndexUpdateCodec updateCodec;

    IndexTopology(
            TableDefinition table,
            GlobalIndex index,
            IndexGuarantee guarantee,
            BackfillGaps gaps,
            BackfillPace pace,
            SchemaRegistry registry,
            ProgressBoard board,
            IndexAppListener listener) {
        this.table = table;
        this.index = index;
        this.guarantee = guarantee;
        this.gaps = gaps;
        this.pace = pace;
        this.board = board;
        this.listener = listener;
        this.changeCodec = new ChangeCodec(registry, table.key());
        this.updateCodec = new IndexUpdateCodec(registry);
    }

    Topology build() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(IndexTopics.ENTRIES),
                                Serdes.Bytes(),
                                Serdes.ByteArray())
                        .withLoggingEnabled(Map.of())
                        .withCachingDisabled());
        builder.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.inMemoryKeyValueStore(IndexTopics.READ),
                                Serdes.Bytes(),
                                Serdes.ByteArray())
                        // one row, written at every commit: keep its history short
                        .withLoggingEnabled(Map.of(TopicConfig.SEGMENT_BYTES_CONFIG, "1048576"))
                        .withCachingEnabled());
        builder.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(IndexTopics.VIOLATIONS),
                                Serdes.Bytes(),
                                Serdes.ByteArray())
                        // others read it as a list: what left the list should not stay long
                        .withLoggingEnabled(Map.of(TopicConfig.SEGMENT_BYTES_CONFIG, "4194304"))
                        .withCachingDisabled());
        KStream<byte[], Outgoing> outgoing =
                builder.stream(
                                table.topics().changes(),
                                Consumed.with(oneKey(), Serdes.ByteArray()).withName("changes"))
                        .processValues(() -> new ChangePacing(pace), Named.as("pace"))
                        .processValues(() -> new ChangeDecoding(changeCodec), Named.as("decode"))
                        .processValues(
                                this::projecting,
                                Named.as("project"),
                                IndexTopics.READ,
                                IndexTopics.VIOLATIONS);
        outgoing.filterNot((key, each) -> each.isPosition(), Named.as("to-send-now"))
                .map((key, each) -> KeyValue.pair(each.key(), each.value()), Named.as("address"))
                .merge(marks(outgoing), Named.as("updates-and-marks"))
                .repartition(
                        Repartitioned.with(Serdes.ByteArray(), Serdes.ByteArray())
                                .withName(IndexTopics.UPDATES)
                                .withNumberOfPartitions(table.partitions())
                                .withStreamPartitioner(new UpdateRouting(table.partitions())))
                .process(this::materializing, Named.as("materialize"), IndexTopics.ENTRIES);
        return builder.build();
    }

    /** Returns the last position as a mark at every commit. */
    private static KStream<byte[], byte[]> marks(KStream<byte[], Outgoing> outgoing) {
        return outgoing.filter((key, each) -> each.isPosition(), Named.as("to-send-at-commit"))
                .mapValues(Outgoing::value, Named.as("position"))
                .groupByKey(Grouped.with("by-partition", oneKey(), Serdes.ByteArray()))
                .reduce(
                        (earlier, latest) -> latest,
                        Named.as("last-position"),
                        Materialized.<byte[], byte[]>as(Stores.inMemoryKeyValueStore("position"))
                                .withKeySerde(oneKey())
                                .withValueSerde(Serdes.ByteArray())
                                .withCachingEnabled()
                                .withLoggingDisabled())
                .toStream(Named.as("marks"));
    }

    private ChangeProjecting projecting() {
        IndexId id = indexId();
        return new ChangeProjecting(
                id,
                new ChangeProjection(table, index),
                new ViolationRecord(table, index),
                updateCodec,
                guarantee == IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED
                        ? Optional.of(MARK_INTERVAL)
                        : Optional.empty(),
                gaps,
                board,
                why -> listener.unsuitable(id, why));
    }

    private UpdateMaterializing materializing() {
        return new UpdateMaterializing(indexId(), table.partitions(), updateCodec, board);
    }

    private IndexId indexId() {
        return IndexId.of(table, index);
    }

    private static Serde<byte[]> oneKey() {
        return Serdes.serdeFrom(
                (topic, key) -> UpdateRouting.MARK_KEY, (topic, key) -> UpdateRouting.MARK_KEY);
    }
}
