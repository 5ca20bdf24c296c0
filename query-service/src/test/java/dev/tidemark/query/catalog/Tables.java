package dev.tidemark.query.catalog;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Table definitions for tests. */
public final class Tables {

    private Tables() {}

    /** Returns an on-demand table with key {@code pk: S, sk: N} and these global indexes. */
    public static TableDefinition onDemand(String name, String id, GlobalIndex... indexes) {
        return new TableDefinition(
                new TableName(name),
                new TableId(id),
                key("pk", KeyType.S, "sk", KeyType.N),
                List.of(
                        new LocalIndex(
                                new IndexName("by-quality"),
                                1,
                                key("pk", KeyType.S, "quality", KeyType.S),
                                new Projection.All())),
                List.of(indexes),
                2,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of("owner", "me"),
                false,
                Instant.ofEpochMilli(1_700_000_000_123L),
                TableStatus.CREATING);
    }

    public static GlobalIndex index(String name, String attribute) {
        return new GlobalIndex(
                new IndexName(name),
                1,
                KeySchema.simple(new KeyAttribute(attribute, KeyType.S)),
                new Projection.KeysOnly(),
                Throughput.NONE,
                IndexStatus.CREATING);
    }

    public static TableChange.AddIndex add(String name, String attribute, KeyType type) {
        return new TableChange.AddIndex(
                new IndexName(name),
                KeySchema.simple(new KeyAttribute(attribute, type)),
                new Projection.All(),
                Throughput.NONE,
                CapacityOptions.NONE,
                Optional.empty(),
                1);
    }

    public static KeySchema key(
            String partition, KeyType partitionType, String sort, KeyType sortType) {
        return KeySchema.composite(
                new KeyAttribute(partition, partitionType), new KeyAttribute(sort, sortType));
    }
}
