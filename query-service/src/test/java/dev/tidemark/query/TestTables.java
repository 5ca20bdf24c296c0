package dev.tidemark.query;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
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

/** Definitions of tables to test with. */
public final class TestTables {

    private TestTables() {}

    /**
     * Returns a table of readings: key (sensor S, ts N), a local index by quality that carries keys
     * only, and global ones: by site and level, all attributes; sparse by alarm, with note; by
     * (site, kind) and (level, ts), keys only.
     */
    public static TableDefinition readings(int partitions) {
        KeyAttribute sensor = new KeyAttribute("sensor", KeyType.S);
        KeyAttribute ts = new KeyAttribute("ts", KeyType.N);
        KeyAttribute site = new KeyAttribute("site", KeyType.S);
        KeyAttribute level = new KeyAttribute("level", KeyType.N);
        KeyAttribute kind = new KeyAttribute("kind", KeyType.S);
        return new TableDefinition(
                new TableName("Readings"),
                new TableId("readings"),
                KeySchema.composite(sensor, ts),
                List.of(
                        new LocalIndex(
                                new IndexName("by-quality"),
                                1,
                                KeySchema.composite(sensor, new KeyAttribute("quality", KeyType.S)),
                                new Projection.KeysOnly()),
                        new LocalIndex(
                                new IndexName("by-level"),
                                2,
                                KeySchema.composite(sensor, level),
                                new Projection.All())),
                List.of(
                        global("by-site", KeySchema.composite(site, level), new Projection.All()),
                        global(
                                "by-alarm",
                                KeySchema.simple(new KeyAttribute("alarm", KeyType.S)),
                                new Projection.Include(List.of("note"))),
                        global(
                                "by-kind",
                                new KeySchema(List.of(site, kind), List.of(level, ts)),
                                new Projection.KeysOnly())),
                partitions,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    /** Returns a table with the key (id S). */
    public static TableDefinition simple() {
        return new TableDefinition(
                new TableName("Simple"),
                new TableId("simple22"),
                KeySchema.simple(new KeyAttribute("id", KeyType.S)),
                List.of(),
                List.of(),
                2,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    private static GlobalIndex global(String name, KeySchema key, Projection projection) {
        return new GlobalIndex(
                new IndexName(name), 1, key, projection, Throughput.NONE, IndexStatus.ACTIVE);
    }
}
