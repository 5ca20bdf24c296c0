package dev.tidemark.launcher.node;

import dev.tidemark.base.BaseSettings;
import dev.tidemark.base.BaseTableApp;
import dev.tidemark.base.SharedStoreMemory;
import dev.tidemark.gsi.BackfillGaps;
import dev.tidemark.gsi.IndexApp;
import dev.tidemark.gsi.IndexAppListener;
import dev.tidemark.gsi.IndexGuarantee;
import dev.tidemark.gsi.IndexSettings;
import dev.tidemark.ingest.KafkaWriteLog;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.metrics.NodeMetrics;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.StreamsConfig;

/** Makes the Streams apps of tables and indexes as this node is set up. */
final class NodeApps implements TableApps.Factory {

    private static final Duration EMBEDDED_SESSION = Duration.ofSeconds(2);

    private final NodeConfig config;
    private final DataFolder data;
    private final NodeKafka kafka;
    private final ProgressBoard board;
    private final SchemaRegistry schemas;
    private final KafkaWriteLog log;
    private final NodeMetrics metrics;
    private final IndexAppListener indexListener;

    NodeApps(
            NodeConfig config,
            DataFolder data,
            NodeKafka kafka,
            ProgressBoard board,
            SchemaRegistry schemas,
            KafkaWriteLog log,
            NodeMetrics metrics,
            IndexAppListener indexListener) {
        this.config = config;
        this.data = data;
        this.kafka = kafka;
        this.board = board;
        this.schemas = schemas;
        this.log = log;
        this.metrics = metrics;
        this.indexListener = indexListener;
    }

    @Override
    public void stop(BaseTableApp app) {
        if (config.isEmbedded()) {
            app.close();
        } else {
            app.leave();
        }
    }

    @Override
    public void stop(IndexApp app) {
        if (config.isEmbedded()) {
            app.close();
        } else {
            app.leave();
        }
    }

    @Override
    public BaseTableApp base(TableDefinition table) {
        BaseSettings defaults =
                BaseSettings.of(kafka.bootstrapServers(), data.part("stores"), config.nodeId());
        BaseSettings settings =
                new BaseSettings(
                        defaults.bootstrapServers(),
                        defaults.stateFolder(),
                        defaults.nodeId(),
                        defaults.applicationServer(),
                        config.streamThreads(),
                        config.standbys(),
                        kafka.replication(),
                        config.baseCommitInterval(),
                        defaults.pollInterval(),
                        config.isEmbedded() ? EMBEDDED_SESSION : defaults.sessionTimeout(),
                        defaults.transactionTimeout(),
                        defaults.storeMemory(),
                        defaults.overrides());
        return new BaseTableApp(table, settings, schemas, board, log, metrics);
    }

    @Override
    public IndexApp index(TableDefinition table, GlobalIndex index) {
        IndexSettings embedded =
                IndexSettings.embedded(
                        kafka.bootstrapServers(), data.part("stores"), config.nodeId());
        IndexSettings cluster =
                IndexSettings.cluster(
                        kafka.bootstrapServers(),
                        data.part("stores"),
                        config.nodeId(),
                        config.internal().host() + ":0");
        IndexSettings defaults = config.isEmbedded() ? embedded : cluster;
        IndexSettings settings =
                new IndexSettings(
                        defaults.bootstrapServers(),
                        defaults.stateFolder(),
                        defaults.nodeId(),
                        Optional.empty(),
                        config.exactlyOnceIndexes()
                                ? IndexGuarantee.EXACTLY_ONCE
                                : IndexGuarantee.AT_LEAST_ONCE_UNCOMMITTED,
                        config.standbys(),
                        kafka.replication(),
                        defaults.sessionTimeout(),
                        Map.of(
                                StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG,
                                SharedStoreMemory.class.getName(),
                                SharedStoreMemory.BYTES_CONFIG,
                                Long.toString(
                                        BaseSettings.of(
                                                        kafka.bootstrapServers(),
                                                        data.part("stores"),
                                                        config.nodeId())
                                                .storeMemory())));
        return new IndexApp(
                table,
                index,
                settings,
                table.compactsHistory()
                        ? new BackfillGaps(index.build().target())
                        : BackfillGaps.NONE,
                schemas,
                board,
                indexListener);
    }
}
