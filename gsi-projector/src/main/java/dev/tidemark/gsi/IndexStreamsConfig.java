package dev.tidemark.gsi;

import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The Streams settings of one index app. */
final class IndexStreamsConfig {

    /** Commits cost a round trip each; what is not committed is read again after a crash. */
    private static final String AT_LEAST_ONCE_COMMIT_MILLIS = "100";

    /** With exactly once this is how long others wait for what an app has done. */
    private static final String EXACTLY_ONCE_COMMIT_MILLIS = "20";

    /** An idle thread polls this long before it looks at its timers. */
    private static final String POLL_MILLIS = "5";

    /**
     * What one fetch brings is projected before the updates it makes are fetched in turn: with
     * little, a slow backfill goes on in small steps, and is seen to. A larger record comes alone.
     */
    private static final String FETCHED_AT_ONCE = Integer.toString(256 * 1024);

    private static final String POLL_RECORDS = "100";

    /** An update holds a whole item, up to 400 KB in DynamoDB's arithmetic, and its keys. */
    private static final String LARGEST_RECORD = Integer.toString(4 * 1024 * 1024);

    private static final String LARGEST_REQUEST = Integer.toString(8 * 1024 * 1024);

    /** Holds the one row of each stage 1 task between commits, and must not overflow. */
    private static final String CACHE_BYTES = Integer.toString(1024 * 1024);

    private static final String TRANSACTION_TIMEOUT_MILLIS = "5000";
    private static final String PURGE_INTERVAL_MILLIS = "30000";

    private IndexStreamsConfig() {}

    static Properties of(IndexSettings settings, String applicationId) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        config.put(StreamsConfig.CLIENT_ID_CONFIG, applicationId + "-" + settings.nodeId());
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        config.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateFolder().toString());
        settings.applicationServer()
                .ifPresent(server -> config.put(StreamsConfig.APPLICATION_SERVER_CONFIG, server));
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbys());
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, settings.replicationFactor());
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        config.put(StreamsConfig.POLL_MS_CONFIG, POLL_MILLIS);
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        config.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, "true");
        config.put(
                StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG, "READ_UNCOMMITTED");
        config.put(StreamsConfig.REPARTITION_PURGE_INTERVAL_MS_CONFIG, PURGE_INTERVAL_MILLIS);
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, "true");
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
        config.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
        guarantee(config, settings.guarantee());
        consumers(config, settings);
        producer(config, settings.guarantee());
        internalTopics(config);
        config.putAll(settings.overrides());
        return config;
    }

    private static void guarantee(Properties config, IndexGuarantee guarantee) {
        switch (guarantee) {
            case AT_LEAST_ONCE_UNCOMMITTED -> {
                config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
                config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, AT_LEAST_ONCE_COMMIT_MILLIS);
                config.put(
                        StreamsConfig.mainConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
                        "read_uncommitted");
            }
            case EXACTLY_ONCE -> {
                config.put(
                        StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
                config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, EXACTLY_ONCE_COMMIT_MILLIS);
            }
        }
    }

    private static void consumers(Properties config, IndexSettings settings) {
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
                settings.nodeId());
        long session = settings.sessionTimeout().toMillis();
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG),
                Long.toString(session));
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                Long.toString(session / 4));
        config.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        config.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                LARGEST_RECORD);
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                FETCHED_AT_ONCE);
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG),
                POLL_RECORDS);
        config.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), "100");
        // a restore ends with an empty long poll, which holds the start back
        config.put(
                StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), "10");
    }

    private static void producer(Properties config, IndexGuarantee guarantee) {
        config.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), "0");
        config.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                "1");
        config.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                LARGEST_REQUEST);
        if (guarantee == IndexGuarantee.EXACTLY_ONCE) {
            // an owner that died in the middle of a transaction holds readers back this long
            config.put(
                    StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                    TRANSACTION_TIMEOUT_MILLIS);
        }
    }

    private static void internalTopics(Properties config) {
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), LARGEST_REQUEST);
        // a record carries the time of its event, which its writer chose
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
                Long.toString(Long.MAX_VALUE));
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG),
                Long.toString(Long.MAX_VALUE));
    }
}
