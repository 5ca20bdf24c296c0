package dev.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes of every version of the schemas that was ever released are read for ever.
 *
 * <p>A changed schema needs a new folder beside {@code wire/v1}, with copies of the schemas and
 * records written with them, and its number in {@link #LATEST}; what is in the older folders never
 * changes.
 */
class GoldenBytesTest {

    private static final int LATEST = 3;

    private static final Item ITEM = item();
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final Map<String, WriteCommand> WRITES = writes();
    private static final Map<String, ChangeRecord> CHANGES = changes();
    private static final Map<String, IndexUpdate> UPDATES = updates();

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();

    static Stream<String> writeNames() {
        return WRITES.keySet().stream();
    }

    static Stream<String> changeNames() {
        return CHANGES.keySet().stream();
    }

    static Stream<String> updateNames() {
        return UPDATES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("writeNames")
    void writesAreRead(String name) {
        agrees(new WriteCodec(registry), "Write", name, Objects.requireNonNull(WRITES.get(name)));
    }

    @ParameterizedTest
    @MethodSource("changeNames")
    void changesAreRead(String name) {
        agrees(
                new ChangeCodec(registry, Samples.KEY),
                "Change",
                name,
                Objects.requireNonNull(CHANGES.get(name)));
    }

    @ParameterizedTest
    @MethodSource("updateNames")
    void updatesAreRead(String name) {
        agrees(
                new IndexUpdateCodec(registry),
                "IndexUpdate",
                name,
                Objects.requireNonNull(UPDATES.get(name)));
    }

    @Test
    void storedItemsAreRead() {
        assertThat(HexFormat.of().formatHex(ItemCodec.encode(ITEM)))
                .isEqualTo(HexFormat.of().formatHex(bytes(LATEST, "stored-item")));
        for (int version = 1; version <= LATEST; version++) {
            assertThat(ItemCodec.decode(bytes(version, "stored-item"))).isEqualTo(ITEM);
        }
    }

    @Test
    void aChangedSchemaHasANewFolder() {
        for (Schema schema : WireSchemas.all()) {
            assertThat(schema(LATEST, schema.getName()))
                    .as("the copy of %s under wire/v%d", schema.getName(), LATEST)
                    .isEqualTo(schema);
        }
    }

    @Test
    void everyVersionIsReadByEveryLaterOne() {
        for (Schema schema : WireSchemas.all()) {
            for (int older = 1; older <= LATEST; older++) {
                for (int newer = older; newer <= LATEST; newer++) {
                    assertThat(
                                    SchemaCompatibility.checkReaderWriterCompatibility(
                                                    schema(newer, schema.getName()),
                                                    schema(older, schema.getName()))
                                            .getType())
                            .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
                }
            }
        }
    }

    private <T> void agrees(FramedCodec<T> codec, String schema, String name, T value) {
        byte[] latest = codec.encode(value);
        assertThat(HexFormat.of().formatHex(latest, FramedCodec.HEAD, latest.length))
                .isEqualTo(HexFormat.of().formatHex(bytes(LATEST, name)));
        for (int version = firstWith(name); version <= LATEST; version++) {
            byte[] body = bytes(version, name);
            byte[] framed =
                    ByteBuffer.allocate(FramedCodec.HEAD + body.length)
                            .put((byte) 0)
                            .putInt(registry.idOf("golden", schema(version, schema)))
                            .put(body)
                            .array();
            assertThat(codec.decode(framed)).isEqualTo(value);
        }
    }

    /** Returns the first version of which there are such bytes; from then on there always are. */
    private static int firstWith(String name) {
        int version = 1;
        while (version < LATEST
                && GoldenBytesTest.class.getResource("/wire/v" + version + "/" + name + ".hex")
                        == null) {
            version++;
        }
        return version;
    }

    private static Schema schema(int version, String name) {
        return new Schema.Parser().parse(text("/wire/v" + version + "/" + name + ".avsc"));
    }

    private static byte[] bytes(int version, String name) {
        return HexFormat.of()
                .parseHex(
                        text("/wire/v" + version + "/" + name + ".hex")
                                .lines()
                                .reduce("", String::concat));
    }

    private static String text(String resource) {
        try (InputStream in = GoldenBytesTest.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError("Missing golden file " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Item item() {
        Map<String, AttributeValue> all = new LinkedHashMap<>(key().attributes());
        all.put("bytes", new AttributeValue.B(Binary.wrap(new byte[] {0, 127, -128, -1})));
        all.put("true", new AttributeValue.Bool(true));
        all.put("null", AttributeValue.Null.INSTANCE);
        all.put(
                "list",
                new AttributeValue.L(
                        List.of(
                                new AttributeValue.L(List.of()),
                                new AttributeValue.M(
                                        Map.of("ä€😀", new AttributeValue.S("\"\\\u0000"))))));
        all.put("empty", new AttributeValue.M(Map.of()));
        all.put("strings", new AttributeValue.SS(Set.of("b", "", "a")));
        all.put(
                "numbers",
                new AttributeValue.NS(Set.of(Decimal.parse("1E125"), Decimal.parse("-1E-130"))));
        all.put(
                "binaries",
                new AttributeValue.BS(Set.of(Binary.EMPTY, Binary.wrap(new byte[] {-1}))));
        return new Item(all);
    }

    private static Item key() {
        Map<String, AttributeValue> key = new LinkedHashMap<>();
        key.put("sensor", new AttributeValue.S("s-1"));
        key.put("time", new AttributeValue.N(Decimal.parse("-12.5")));
        return new Item(key);
    }

    private static Map<String, WriteCommand> writes() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("#a", "a.b");
        names.put("#t", "time");
        Placeholders placeholders =
                new Placeholders(names, Map.of(":v", new AttributeValue.N(Decimal.of(300))));
        Optional<RequestId> id =
                Optional.of(new RequestId(0x0123456789abcdefL, 0xfedcba9876543210L));
        Map<String, WriteCommand> writes = new LinkedHashMap<>();
        writes.put(
                "write-put-only-item",
                new WriteCommand(
                        Optional.empty(),
                        new Write.PutItem(ITEM, Optional.empty(), Placeholders.NONE)));
        writes.put(
                "write-put",
                new WriteCommand(
                        id, new Write.PutItem(ITEM, Optional.of("#a > :v"), placeholders)));
        writes.put(
                "write-delete",
                new WriteCommand(
                        id, new Write.DeleteItem(key(), Optional.of("#a > :v"), placeholders)));
        writes.put(
                "write-update",
                new WriteCommand(
                        id,
                        new Write.UpdateItem(
                                key(),
                                Optional.of("SET #a = :v"),
                                Optional.of("attribute_exists(#t)"),
                                placeholders)));
        writes.put(
                "write-define-index-keys",
                new WriteCommand(
                        Optional.empty(),
                        new Write.DefineIndexKeys(
                                300,
                                List.of(
                                        new Write.IndexKeys(
                                                new IndexName("by-building"),
                                                List.of(
                                                        new KeyAttribute("building", KeyType.S),
                                                        new KeyAttribute("floor", KeyType.N)),
                                                List.of(new KeyAttribute("raw", KeyType.B))),
                                        new Write.IndexKeys(
                                                new IndexName("by-severity"),
                                                List.of(new KeyAttribute("severity", KeyType.S)),
                                                List.of())))));
        writes.put("write-barrier", new WriteCommand(Optional.empty(), new Write.Barrier()));
        writes.put("write-expire", new WriteCommand(id, new Write.ExpireItem(key(), "end", TIME)));
        writes.put(
                "write-define-time-to-live",
                new WriteCommand(
                        Optional.empty(),
                        new Write.DefineTimeToLive(new TimeToLive(300, Optional.of("end")))));
        writes.put(
                "write-define-no-time-to-live",
                new WriteCommand(
                        Optional.empty(),
                        new Write.DefineTimeToLive(new TimeToLive(301, Optional.empty()))));
        writes.put(
                "write-refresh",
                new WriteCommand(id, new Write.RefreshItem(key(), Optional.empty())));
        writes.put(
                "write-refresh-stale",
                new WriteCommand(
                        Optional.empty(), new Write.RefreshItem(key(), Optional.of(ITEM))));
        return writes;
    }

    private static Map<String, ChangeRecord> changes() {
        PrimaryKey key = Samples.KEY.keyOf(key()).orElseThrow();
        ChangeOrigin origin = new ChangeOrigin(new Position(7, 1L << 40), 1L << 41, TIME);
        Map<String, ChangeRecord> changes = new LinkedHashMap<>();
        changes.put("change-insert", new ChangeRecord.Inserted(key, origin, ITEM));
        changes.put("change-modify", new ChangeRecord.Modified(key, origin, key(), ITEM));
        changes.put("change-remove", new ChangeRecord.Removed(key, origin, ITEM));
        changes.put(
                "change-expire",
                new ChangeRecord.Removed(
                        key,
                        new ChangeOrigin(
                                origin.position(),
                                origin.writeOffset(),
                                TIME,
                                ChangeCause.TIME_TO_LIVE),
                        ITEM));
        changes.put(
                "change-repair",
                new ChangeRecord.Modified(
                        key,
                        new ChangeOrigin(
                                origin.position(), origin.writeOffset(), TIME, ChangeCause.REPAIR),
                        key(),
                        ITEM));
        return changes;
    }

    private static Map<String, IndexUpdate> updates() {
        Position position = new Position(7, 1L << 40);
        Optional<Binary> delete = Optional.of(Binary.wrap(new byte[] {1, 2, 0, -1}));
        Optional<IndexUpdate.Put> put =
                Optional.of(new IndexUpdate.Put(Binary.wrap(new byte[] {3, 4, 0, -1}), ITEM));
        Map<String, IndexUpdate> updates = new LinkedHashMap<>();
        updates.put("update-mark", IndexUpdate.mark(position, TIME));
        updates.put("update-delete", new IndexUpdate(position, TIME, delete, Optional.empty()));
        updates.put("update-put", new IndexUpdate(position, TIME, Optional.empty(), put));
        updates.put("update-both", new IndexUpdate(position, TIME, delete, put));
        return updates;
    }
}
