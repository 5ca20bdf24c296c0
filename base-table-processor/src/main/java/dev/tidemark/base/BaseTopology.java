package dev.tidemark.base;

import dev.tidemark.base.process.EventTime;
import dev.tidemark.base.process.ItemStore;
import dev.tidemark.base.process.OutgoingRecord;
import dev.tidemark.base.process.WriteProcessor;
import dev.tidemark.lsi.LocalIndexMaintenance;
import dev.tidemark.lsi.LocalIndexStore;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableTopics;
import dev.tidemark.model.write.OutcomeListener;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/**
 * The topology of one table: write topic, processor, items and local entries, change and reject
 * topics.
 */
public final class BaseTopology {

    private static final String WRITES = "writes";
    private static final String APPLY = "apply-writes";

    /** What the changelogs need beyond Streams' own settings: room for the largest stored item. */
    private static final Map<String, String> CHANGELOG =
            Map.of("max.message.bytes", Integer.toString(BaseSettings.MAX_REQUEST_SIZE));

    private BaseTopology() {}

    /**
     * Returns the topology.
     *
     * @param table the table as it was created; of its global indexes see {@link BaseTableApp}
     * @param registry gives the ids of the schemas; asked at once, so this may block
     * @param board where partitions that are ready are put
     * @param outcomes is told what became of commands
     * @param listener is told of records put aside
     */
    public static Topology of(
            TableDefinition table,
            SchemaRegistry registry,
            ProgressBoard board,
            OutcomeListener outcomes,
            BaseListener listener) {
        TableTopics topics = table.topics();
        WriteCodec commands = new WriteCodec(registry);
        ChangeCodec changes = new ChangeCodec(registry, table.key());
        LocalIndexMaintenance localIndexes = new LocalIndexMaintenance(table);

        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                WRITES,
                new EventTime(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topics.writes());
        topology.addProcessor(
                APPLY,
                () ->
                        new WriteProcessor(
                                table, commands, changes, localIndexes, board, outcomes, listener),
                WRITES);
        topology.addStateStore(ItemStore.builder(CHANGELOG), APPLY);
        if (localIndexes.hasIndexes()) {
            topology.addStateStore(LocalIndexStore.builder(CHANGELOG), APPLY);
        }
        addSink(topology, WriteProcessor.CHANGES, topics.changes());
        addSink(topology, WriteProcessor.REJECTS, topics.rejects());
        return topology;
    }

    private static void addSink(Topology topology, String name, String topic) {
        topology.addSink(
                name,
                topic,
                new ByteArraySerializer(),
                OutgoingRecord.serializer(),
                OutgoingRecord.partitioner(),
                APPLY);
    }
}
