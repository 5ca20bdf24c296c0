package dev.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records written with other versions of our schemas are read by Avro's rules. */
class SchemaEvolutionTest {

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec codec = new WriteCodec(registry);

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aLaterWritersRecordIsRead(long seed) {
        WriteCommand command = new Samples(seed).command();
        Schema later = WireFormatFaultsTest.withMoreFields(WireSchemas.WRITE);
        GenericRecord ours = GenericForm.command(command);
        GenericRecord theirs = new GenericData.Record(later);
        theirs.put("requestId", ours.get("requestId"));
        theirs.put("operation", ours.get("operation"));
        theirs.put("nothings", new ArrayList<>());
        theirs.put("note", "from the future");
        assertThat(codec.decode(framed(later, theirs))).isEqualTo(command);
    }

    /** A producer that knows only PutItem and declares only the item writes to the table. */
    @Test
    void aSmallSchemaOfAnOutsideProducerIsEnough() {
        Schema small =
                new Schema.Parser()
                        .parse(
                                """
                                {"type":"record","name":"Write","namespace":"dev.tidemark.wire","fields":[
                                 {"name":"operation","type":[
                                  {"type":"record","name":"PutItem","fields":[
                                   {"name":"item","type":{"type":"map","values":
                                    {"type":"record","name":"AttributeValue","fields":[
                                     {"name":"value","type":["string",
                                      {"type":"record","name":"Number","fields":[{"name":"text","type":"string"}]}
                                     ]}]}}}]}]}]}
                                """);
        Schema put = small.getField("operation").schema().getTypes().get(0);
        Schema value = put.getField("item").schema().getValueType();
        Schema number = value.getField("value").schema().getTypes().get(1);
        GenericRecord text = new GenericData.Record(number);
        text.put("text", "1.50E1");
        GenericRecord degrees = new GenericData.Record(value);
        degrees.put("value", text);
        GenericRecord sensor = new GenericData.Record(value);
        sensor.put("value", "s1");
        GenericRecord operation = new GenericData.Record(put);
        operation.put("item", Map.of("sensor", sensor, "degrees", degrees));
        GenericRecord write = new GenericData.Record(small);
        write.put("operation", operation);

        assertThat(codec.decode(framed(small, write)))
                .isEqualTo(
                        new WriteCommand(
                                Optional.empty(),
                                new Write.PutItem(
                                        new Item(
                                                Map.of(
                                                        "sensor", new AttributeValue.S("s1"),
                                                        "degrees",
                                                                new AttributeValue.N(
                                                                        Decimal.of(15)))),
                                        Optional.empty(),
                                        Placeholders.NONE)));
    }

    @Test
    void aSchemaThatDiffersInDocumentationOnlyIsOurs() {
        Schema bare =
                new Schema.Parser()
                        .parse(SchemaNormalization.toParsingForm(WireSchemas.INDEX_UPDATE));
        IndexUpdateCodec updates = new IndexUpdateCodec(registry);
        var update = new Samples(7).update();
        byte[] framed = updates.encode(update);
        ByteBuffer.wrap(framed).putInt(1, registry.idOf("bare", bare));
        assertThat(updates.decode(framed)).isEqualTo(update);
    }

    private byte[] framed(Schema schema, GenericRecord value) {
        byte[] body = GenericForm.write(schema, value);
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) 0)
                .putInt(registry.idOf("theirs", schema))
                .put(body)
                .array();
    }
}
