package dev.tidemark.base;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
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
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of the tests, its items and its commands. */
public final class TestTables {

    private static final KeyAttribute PK = new KeyAttribute("pk", KeyType.S);
    private static final KeyAttribute SK = new KeyAttribute("sk", KeyType.N);

    private TestTables() {}

    /**
     * Returns a table with the key (pk: S, sk: N), the local indexes by-a (a: S, everything) and
     * by-n (n: N, keys only), and the global index by-g (g: S).
     */
    public static TableDefinition things(int partitions) {
        return new TableDefinition(
                new TableName("Things"),
                new TableId("abcdefgh"),
                KeySchema.composite(PK, SK),
                List.of(
                        local("by-a", 1, new KeyAttribute("a", KeyType.S), new Projection.All()),
                        local(
                                "by-n",
                                2,
                                new KeyAttribute("n", KeyType.N),
                                new Projection.KeysOnly())),
                List.of(
                        new GlobalIndex(
                                new IndexName("by-g"),
                                1,
                                KeySchema.simple(new KeyAttribute("g", KeyType.S)),
                                new Projection.All(),
                                Throughput.NONE,
                                IndexStatus.ACTIVE)),
                partitions,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    /** Returns the same table under another id. */
    public static TableDefinition withId(TableDefinition table, String id) {
        return new TableDefinition(
                table.name(),
                new TableId(id),
                table.key(),
                table.localIndexes(),
                table.globalIndexes(),
                table.partitions(),
                table.billingMode(),
                table.throughput(),
                table.tags(),
                table.deletionProtection(),
                table.createdAt(),
                table.status());
    }

    /** Returns the table without any index. */
    public static TableDefinition plain(int partitions) {
        TableDefinition things = things(partitions);
        return new TableDefinition(
                things.name(),
                things.id(),
                things.key(),
                List.of(),
                List.of(),
                partitions,
                things.billingMode(),
                things.throughput(),
                things.tags(),
                things.deletionProtection(),
                things.createdAt(),
                things.status());
    }

    /** Returns an item with the key (pk, sk) and these attributes, names and values in turn. */
    public static Item item(String pk, long sk, Object... namesAndValues) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put("pk", value(pk));
        attributes.put("sk", value(sk));
        attributes.putAll(attributes(namesAndValues));
        return new Item(attributes);
    }

    /** Returns attributes, names and values in turn. */
    public static Map<String, AttributeValue> attributes(Object... namesAndValues) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            attributes.put((String) namesAndValues[at], value(namesAndValues[at + 1]));
        }
        return attributes;
    }

    /** Returns strings, whole numbers and bytes as attribute values, and those as they are. */
    public static AttributeValue value(Object value) {
        if (value instanceof AttributeValue ready) {
            return ready;
        }
        if (value instanceof String text) {
            return new AttributeValue.S(text);
        }
        if (value instanceof byte[] bytes) {
            return new AttributeValue.B(Binary.copyOf(bytes));
        }
        return new AttributeValue.N(Decimal.of(((Number) value).longValue()));
    }

    public static Write put(Item item) {
        return new Write.PutItem(item, Optional.empty(), Placeholders.NONE);
    }

    /** Returns a put on a condition; the constants are names and values in turn. */
    public static Write putIf(String condition, Item item, Object... constants) {
        return new Write.PutItem(item, Optional.of(condition), constants(constants));
    }

    public static Write delete(Item key) {
        return new Write.DeleteItem(key, Optional.empty(), Placeholders.NONE);
    }

    public static Write deleteIf(String condition, Item key, Object... constants) {
        return new Write.DeleteItem(key, Optional.of(condition), constants(constants));
    }

    public static Write update(Item key, String update, Object... constants) {
        return new Write.UpdateItem(
                key, Optional.of(update), Optional.empty(), constants(constants));
    }

    public static Write updateIf(String condition, Item key, String update, Object... constants) {
        return new Write.UpdateItem(
                key, Optional.of(update), Optional.of(condition), constants(constants));
    }

    private static Placeholders constants(Object... namesAndValues) {
        return new Placeholders(Map.of(), attributes(namesAndValues));
    }

    private static LocalIndex local(String name, int id, KeyAttribute sort, Projection projection) {
        return new LocalIndex(new IndexName(name), id, KeySchema.composite(PK, sort), projection);
    }
}
