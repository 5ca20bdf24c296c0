package dev.tidemark.launcher.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Everything that can be set. A key is the same in a file and with {@code --set}; the environment
 * has its own form.
 */
public enum Setting {
    HTTP_HOST("http.host", "127.0.0.1", "the address clients connect to"),
    HTTP_PORT("http.port", "8000", "the port clients connect to; 0 takes a free one"),
    HTTP_MAX_IN_FLIGHT(
            "http.max-in-flight", "2048", "requests answered at once; more are told to retry"),
    HTTP_REQUEST_TIMEOUT("http.request-timeout", "30s", "the longest a request may take"),
    INTERNAL_HOST("internal.host", "127.0.0.1", "the address other nodes reach this one by"),
    INTERNAL_PORT("internal.port", "0", "the port for other nodes; 0 takes a free one"),
    NODE_ID("node.id", "node-1", "unique among the nodes of a cluster and the same at every start"),
    NODE_ROLES("node.roles", "ingest,base,gsi,query", "what the node does"),
    DATA_FOLDER(
            "data.folder", "tidemark-data", "where stores, and the embedded Kafka's log, are kept"),
    KAFKA_BOOTSTRAP_SERVERS(
            "kafka.bootstrap-servers",
            "",
            "an outside Kafka; without one Kafka runs inside the node"),
    KAFKA_PORT("kafka.port", "0", "the port of the embedded Kafka; 0 takes a free one"),
    KAFKA_REPLICATION_FACTOR(
            "kafka.replication-factor",
            "",
            "copies of every topic; 1 if embedded, else the broker's"),
    KAFKA_FSYNC(
            "kafka.fsync",
            "false",
            "write the log through to the disk before a write is acknowledged"),
    SCHEMA_REGISTRY_URL(
            "schema-registry.url",
            "",
            "a registry with Confluent's API; without one the node keeps its own"),
    REGION("region", "us-east-1", "the region in ARNs"),
    TABLE_PARTITIONS("table.partitions", "", "partitions of a new table; 2 if embedded, else 8"),
    TABLE_ITEM_COLLECTION_LIMIT(
            "table.item-collection-limit",
            "10GB",
            "the most bytes of an item collection of a new table with local indexes"),
    EXPIRY_INTERVAL(
            "expiry.interval",
            "60s",
            "how often items are looked through for those whose time to live is over"),
    WRITE_TIMEOUT("write.timeout", "10s", "the longest a write waits for its outcome"),
    WRITE_LINGER(
            "write.linger",
            "0ms",
            "how long the log's producer waits for more writes to send together"),
    BASE_COMMIT_INTERVAL(
            "base.commit-interval", "50ms", "how often a table's transaction is committed"),
    INDEX_GUARANTEE(
            "index.guarantee",
            "",
            "at-least-once or exactly-once; the first if embedded, else the second"),
    INDEX_ONLINE_OPERATIONS(
            "index.online-operations",
            "1",
            "how many global indexes of a table may be created, changed or deleted at once"),
    INDEX_BACKFILL_RATE(
            "index.backfill-rate",
            "auto",
            "changes a second taken at most to fill an added index: a number, unlimited, or auto: 1000 for each core while requests"
                    + " for items come, else unlimited"),
    INDEX_MAX_LAG_CHANGES(
            "index.max-lag-changes",
            "1000000",
            "changes an index may trail its table by before writes are held back"),
    INDEX_MAX_LAG_AGE(
            "index.max-lag-age",
            "5m",
            "how long an index may trail its table before writes are held back"),
    INDEX_VERIFY_INTERVAL(
            "index.verify-interval",
            "",
            "how often every index is compared with its table; never if empty"),
    INDEX_VERIFY_RATE(
            "index.verify-rate",
            "auto",
            "rows a second read to compare: a number, unlimited, or auto: 5000 for each core while requests for items come, else unlimited"),
    INDEX_READ_WAIT(
            "index.read-wait",
            "",
            "how long an index read waits for this node's own writes; 1s if embedded, else 0s"),
    STREAMS_STANDBYS(
            "streams.standbys", "", "further copies of every store; 0 if embedded, else 1"),
    STREAMS_THREADS("streams.threads", "1", "threads of every table and of every index");

    private static final String ENVIRONMENT_PREFIX = "TIDEMARK_";

    private final String key;
    private final String defaultText;
    private final String meaning;

    Setting(String key, String defaultText, String meaning) {
        this.key = key;
        this.defaultText = defaultText;
        this.meaning = meaning;
    }

    public String key() {
        return key;
    }

    public String defaultText() {
        return defaultText;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Returns the name of the environment variable: {@code TIDEMARK_HTTP_PORT} for {@code
     * http.port}.
     */
    public String environmentName() {
        return ENVIRONMENT_PREFIX
                + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Returns the setting with this key, if there is one. */
    public static Optional<Setting> ofKey(String key) {
        return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
    }

    /** Returns the keys of all settings. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }
}
