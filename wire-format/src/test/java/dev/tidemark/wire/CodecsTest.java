package dev.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hand-written codecs agree with Avro's own, byte for byte and value for value. */
class CodecsTest {

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec writes = new WriteCodec(registry);
    private final ChangeCodec changes = new ChangeCodec(registry, Samples.KEY);
    private final IndexUpdateCodec updates = new IndexUpdateCodec(registry);

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void itemsAreWrittenAsAvroWritesThem(long seed) {
        Item item = new Samples(seed).item();
        byte[] stored = ItemCodec.encode(item);
        assertThat(stored[0]).isEqualTo((byte) 1);
        assertThat(Arrays.copyOfRange(stored, 1, stored.length))
                .isEqualTo(
                        GenericForm.write(GenericForm.ITEM, GenericForm.item(item.attributes())));
        assertThat(ItemCodec.decode(stored)).isEqualTo(item);
        byte[] blocks =
                GenericForm.writeInBlocks(GenericForm.ITEM, GenericForm.item(item.attributes()));
        assertThat(ItemCodec.decode(prefixed(new byte[] {1}, blocks))).isEqualTo(item);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void commandsAreWrittenAsAvroWritesThem(long seed) {
        WriteCommand command = new Samples(seed).command();
        agrees(writes, WireSchemas.WRITE, command, GenericForm.command(command));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void changesAreWrittenAsAvroWritesThem(long seed) {
        ChangeRecord change = new Samples(seed).change();
        agrees(changes, WireSchemas.CHANGE, change, GenericForm.change(change));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void updatesAreWrittenAsAvroWritesThem(long seed) {
        IndexUpdate update = new Samples(seed).update();
        agrees(updates, WireSchemas.INDEX_UPDATE, update, GenericForm.update(update));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theRawPartsOfAnUpdateAreItsParts(long seed) {
        IndexUpdate update = new Samples(seed).update();
        RawIndexUpdate raw = updates.decodeRaw(updates.encode(update));
        assertThat(raw.basePartition()).isEqualTo(update.position().partition());
        assertThat(raw.sequence()).isEqualTo(update.position().sequence());
        assertThat(raw.timeMillis()).isEqualTo(update.time().toEpochMilli());
        assertThat(raw.isMark()).isEqualTo(update.isMark());
        assertThat(raw.deleteKey().map(bytes -> HEX.formatHex(bytes)))
                .isEqualTo(update.delete().map(key -> key.toString()));
        assertThat(raw.putKey().map(bytes -> HEX.formatHex(bytes)))
                .isEqualTo(update.put().map(put -> put.entryKey().toString()));
        assertThat(raw.storedItem().map(ItemCodec::decode))
                .isEqualTo(update.put().map(IndexUpdate.Put::projected));
    }

    private static final java.util.HexFormat HEX = java.util.HexFormat.of();

    private <T> void agrees(FramedCodec<T> codec, Schema schema, T value, Object generic) {
        byte[] head = {0, 0, 0, 0, (byte) codec.schemaId()};
        byte[] framed = codec.encode(value);
        assertThat(framed).isEqualTo(prefixed(head, GenericForm.write(schema, generic)));
        assertThat(codec.decode(framed)).isEqualTo(value);
        assertThat(codec.decode(prefixed(head, GenericForm.writeInBlocks(schema, generic))))
                .isEqualTo(value);
        assertThat(GenericForm.read(schema, schema, framed, FramedCodec.HEAD))
                .hasToString(
                        GenericForm.read(schema, schema, GenericForm.write(schema, generic), 0)
                                .toString());
    }

    static byte[] prefixed(byte[] head, byte[] body) {
        byte[] whole = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }
}
