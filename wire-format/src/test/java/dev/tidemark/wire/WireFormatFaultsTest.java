package dev.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the bytes are, they are decoded or refused, at once and in little memory. */
@Timeout(60)
class WireFormatFaultsTest {

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec writes = new WriteCodec(registry);
    private final ChangeCodec changes = new ChangeCodec(registry, Samples.KEY);
    private final IndexUpdateCodec updates = new IndexUpdateCodec(registry);

    /** The id of a schema like that of writes, which has to be resolved. */
    private final int otherId = registry.idOf("other", withMoreFields(WireSchemas.WRITE));

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noiseIsRefused(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            decodeAll(bytes);
            if (bytes.length > FramedCodec.HEAD) {
                frame(bytes, 1 + random.nextInt(4));
                decodeAll(bytes);
                bytes[0] = ItemCodec.VERSION;
                decodeAll(bytes);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedRecordsAreDecodedOrRefused(long seed) {
        Random random = new Random(seed);
        Samples samples = new Samples(seed);
        for (byte[] good :
                List.of(
                        writes.encode(samples.command()),
                        changes.encode(samples.change()),
                        updates.encode(samples.update()),
                        ItemCodec.encode(samples.item()))) {
            for (int round = 0; round < 50; round++) {
                byte[] bad = good.clone();
                for (int left = 1 + random.nextInt(3); left > 0; left--) {
                    bad[random.nextInt(bad.length)] =
                            random.nextBoolean()
                                    ? (byte) random.nextInt(256)
                                    : (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                }
                decodeAll(bad);
                if (bad.length > FramedCodec.HEAD) {
                    frame(bad, otherId);
                    decodeAll(bad);
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsCutShortOrGoesOnIsRefused(long seed) {
        Samples samples = new Samples(seed);
        byte[] write = writes.encode(samples.command());
        byte[] item = ItemCodec.encode(samples.item());
        for (int length = 0; length < write.length; length++) {
            byte[] part = Arrays.copyOf(write, length);
            assertThatThrownBy(() -> writes.decode(part)).isInstanceOf(WireFormatException.class);
        }
        for (int length = 0; length < item.length; length++) {
            byte[] part = Arrays.copyOf(item, length);
            assertThatThrownBy(() -> ItemCodec.decode(part))
                    .isInstanceOf(WireFormatException.class);
            assertThatThrownBy(() -> StoredItems.size(part))
                    .isInstanceOf(WireFormatException.class);
        }
        assertThatThrownBy(() -> writes.decode(Arrays.copyOf(write, write.length + 1)))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("Invalid Avro: bytes after the end");
    }

    @Test
    void absurdLengthsAndCountsAreRefusedBeforeAnythingIsAllocated() {
        long[] absurd = {Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE, 1L << 40};
        for (long number : absurd) {
            AvroWriter count = new AvroWriter(16);
            count.writeByte(ItemCodec.VERSION);
            count.writeLong(number);
            AvroWriter length = new AvroWriter(16);
            length.writeByte(ItemCodec.VERSION);
            length.writeLong(1);
            length.writeLong(number);
            for (byte[] bytes : List.of(count.toByteArray(), length.toByteArray())) {
                byte[] padded = Arrays.copyOf(bytes, 40);
                assertThatThrownBy(() -> ItemCodec.decode(padded))
                        .isInstanceOf(WireFormatException.class);
                decodeAll(padded);
                byte[] framed = new byte[padded.length + 10];
                // no request id, a PutItem, then the item
                framed[6] = 0;
                System.arraycopy(padded, 1, framed, 7, padded.length - 1);
                for (int id : new int[] {writes.schemaId(), otherId}) {
                    frame(framed, id);
                    assertThatThrownBy(() -> writes.decode(framed))
                            .isInstanceOf(WireFormatException.class);
                }
            }
        }
    }

    @Test
    void nestingWithoutEndIsRefused() {
        for (int branch : new int[] {ItemCodec.L, ItemCodec.M}) {
            AvroWriter out = new AvroWriter(1 << 20);
            out.writeByte(ItemCodec.VERSION);
            out.writeLong(1);
            out.writeString("a");
            for (int level = 0; level < 200_000; level++) {
                out.writeLong(branch);
                out.writeLong(1);
                if (branch == ItemCodec.M) {
                    out.writeString("a");
                }
            }
            byte[] deep = out.toByteArray();
            assertThatThrownBy(() -> ItemCodec.decode(deep))
                    .isInstanceOf(WireFormatException.class)
                    .hasMessage("Invalid item: nested too deeply");
            decodeAll(deep);
            byte[] framed = new byte[deep.length + 6];
            System.arraycopy(deep, 1, framed, 7, deep.length - 1);
            for (int id : new int[] {writes.schemaId(), otherId}) {
                frame(framed, id);
                assertThatThrownBy(() -> writes.decode(framed))
                        .isInstanceOf(WireFormatException.class)
                        .hasMessageEndingWith("nested too deeply");
            }
        }
    }

    @Test
    void dynamoDbsDepthIsWithinOurs() {
        AttributeValue value = new AttributeValue.Bool(true);
        for (int level = 0; level < ItemCodec.MAX_DEPTH; level++) {
            value =
                    level % 2 == 0
                            ? new AttributeValue.L(List.of(value))
                            : new AttributeValue.M(Map.of("m", value));
        }
        Item item = new Item(Map.of("deep", value));
        assertThat(ItemCodec.decode(ItemCodec.encode(item))).isEqualTo(item);
        Item deeper = new Item(Map.of("deeper", new AttributeValue.L(List.of(value))));
        assertThatThrownBy(() -> ItemCodec.encode(deeper))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid item: nested too deeply");
    }

    @Test
    void whatIsNoValueIsRefused() {
        assertRefused(
                "Invalid Avro: string is not UTF-8",
                out -> {
                    out.writeLong(ItemCodec.S);
                    out.writeBytes(new byte[] {(byte) 0xC3, 0x28});
                });
        assertRefused(
                "Invalid item: not a number",
                out -> {
                    out.writeLong(ItemCodec.N);
                    out.writeString("1e");
                });
        assertRefused(
                "Invalid item: not a number",
                out -> {
                    out.writeLong(ItemCodec.N);
                    out.writeString("1E126");
                });
        assertRefused(
                "Invalid item: empty set",
                out -> {
                    out.writeLong(ItemCodec.SS);
                    out.writeLong(0);
                });
        assertRefused("Invalid Avro: no such branch", out -> out.writeLong(10));
        assertThat(
                        ItemCodec.decode(
                                stored(
                                        out -> {
                                            out.writeLong(ItemCodec.S);
                                            out.writeString("\uFFFD");
                                        })))
                .isEqualTo(new Item(Map.of("a", new AttributeValue.S("\uFFFD"))));
    }

    @Test
    void framesOfOthersAreRefused() {
        assertThatThrownBy(() -> writes.decode("{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("Invalid framing: no schema id");
        assertThatThrownBy(() -> writes.decode(new byte[] {0, 0, 1, 0, 0, 0}))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("Invalid framing: unknown schema id");
        int stranger = registry.idOf("stranger", Schema.create(Schema.Type.INT));
        byte[] framed = new byte[6];
        frame(framed, stranger);
        assertThatThrownBy(() -> writes.decode(framed))
                .isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith("Incompatible schema: [");
    }

    private interface Body {
        void write(AvroWriter out);
    }

    private static void assertRefused(String text, Body value) {
        byte[] bytes = stored(value);
        assertThatThrownBy(() -> ItemCodec.decode(bytes))
                .isInstanceOf(WireFormatException.class)
                .hasMessage(text);
    }

    private static byte[] stored(Body value) {
        AvroWriter out = new AvroWriter(64);
        out.writeByte(ItemCodec.VERSION);
        out.writeLong(1);
        out.writeString("a");
        value.write(out);
        out.writeLong(0);
        return out.toByteArray();
    }

    private void decodeAll(byte[] bytes) {
        List<Runnable> decoders =
                List.of(
                        () -> writes.decode(bytes),
                        () -> changes.decode(bytes),
                        () -> updates.decode(bytes),
                        () -> updates.decodeRaw(bytes),
                        () -> ItemCodec.decode(bytes),
                        () -> StoredItems.size(bytes),
                        () -> StoredItems.writeJson(bytes, new JsonBytes()),
                        () -> StoredItems.attribute(bytes, "a"),
                        () -> StoredItems.only(bytes, AttributeNames.of(List.of("a", ""))));
        for (Runnable decoder : decoders) {
            Throwable failure = catchThrowable(decoder::run);
            if (failure != null) {
                assertThat(failure).isInstanceOf(WireFormatException.class);
            }
        }
    }

    private static void frame(byte[] bytes, int id) {
        bytes[0] = 0;
        bytes[1] = 0;
        bytes[2] = 0;
        bytes[3] = 0;
        bytes[4] = (byte) id;
    }

    /** Returns the schema as a later release might have it. */
    static Schema withMoreFields(Schema schema) {
        List<Schema.Field> fields =
                new ArrayList<>(
                        schema.getFields().stream()
                                .map(field -> new Schema.Field(field, field.schema()))
                                .toList());
        fields.add(
                new Schema.Field(
                        "nothings", Schema.createArray(Schema.create(Schema.Type.NULL)), null));
        fields.add(
                new Schema.Field(
                        "note",
                        Schema.createUnion(
                                Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.STRING)),
                        null,
                        Schema.Field.NULL_DEFAULT_VALUE));
        return Schema.createRecord(
                schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
    }
}
