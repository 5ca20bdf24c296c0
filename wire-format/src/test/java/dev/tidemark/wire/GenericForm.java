package dev.tidemark.wire;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** The model as Avro's generic records: the slow, plain way that the codecs are compared with. */
final class GenericForm {

    static final Schema ITEM = WireSchemas.CHANGE.getField("key").schema();
    static final Schema VALUE = ITEM.getValueType();
    static final List<Schema> BRANCHES = VALUE.getField("value").schema().getTypes();

    private GenericForm() {}

    static Map<String, Object> item(Map<String, AttributeValue> attributes) {
        Map<String, Object> generic = new LinkedHashMap<>();
        attributes.forEach((name, value) -> generic.put(name, value(value)));
        return generic;
    }

    static GenericRecord value(AttributeValue value) {
        GenericRecord generic = new GenericData.Record(VALUE);
        generic.put("value", branch(value));
        return generic;
    }

    static GenericRecord command(WriteCommand command) {
        GenericRecord generic = new GenericData.Record(WireSchemas.WRITE);
        Schema fixed = WireSchemas.WRITE.getField("requestId").schema().getTypes().get(1);
        generic.put(
                "requestId",
                command.requestId()
                        .map(id -> new GenericData.Fixed(fixed, bytes(id)))
                        .orElse(null));
        generic.put("operation", command.write().match(new Operations()));
        return generic;
    }

    static GenericRecord change(ChangeRecord change) {
        GenericRecord generic = new GenericData.Record(WireSchemas.CHANGE);
        String kind =
                change instanceof ChangeRecord.Inserted
                        ? "INSERT"
                        : change instanceof ChangeRecord.Modified ? "MODIFY" : "REMOVE";
        generic.put(
                "kind",
                new GenericData.EnumSymbol(WireSchemas.CHANGE.getField("kind").schema(), kind));
        generic.put("key", item(Samples.KEY.toItem(change.key()).attributes()));
        generic.put("before", change.before().map(GenericForm::image).orElse(null));
        generic.put("after", change.after().map(GenericForm::image).orElse(null));
        generic.put("partition", change.origin().position().partition());
        generic.put("sequence", change.origin().position().sequence());
        generic.put("writeOffset", change.origin().writeOffset());
        generic.put("time", change.origin().time().toEpochMilli());
        generic.put(
                "cause",
                new GenericData.EnumSymbol(
                        WireSchemas.CHANGE.getField("cause").schema(),
                        change.origin().cause().name()));
        return generic;
    }

    static GenericRecord update(IndexUpdate update) {
        Schema schema = WireSchemas.INDEX_UPDATE;
        GenericRecord generic = new GenericData.Record(schema);
        generic.put("basePartition", update.position().partition());
        generic.put("sequence", update.position().sequence());
        generic.put("time", update.time().toEpochMilli());
        generic.put("delete", update.delete().map(Binary::asByteBuffer).orElse(null));
        generic.put(
                "put",
                update.put()
                        .map(
                                put -> {
                                    GenericRecord entry =
                                            new GenericData.Record(
                                                    schema.getField("put")
                                                            .schema()
                                                            .getTypes()
                                                            .get(1));
                                    entry.put("key", put.entryKey().asByteBuffer());
                                    entry.put("item", item(put.projected().attributes()));
                                    return entry;
                                })
                        .orElse(null));
        return generic;
    }

    static byte[] write(Schema schema, Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<>(schema).write(value, out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes maps and lists in blocks of a few bytes that tell their size, as some writers do. */
    static byte[] writeInBlocks(Schema schema, Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            BinaryEncoder out =
                    new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(bytes, null);
            new GenericDatumWriter<>(schema).write(value, out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Object read(Schema writer, Schema reader, byte[] bytes, int from) {
        try {
            return new GenericDatumReader<>(writer, reader)
                    .read(
                            null,
                            DecoderFactory.get()
                                    .binaryDecoder(bytes, from, bytes.length - from, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> image(Item item) {
        return item(item.attributes());
    }

    private static byte[] bytes(RequestId id) {
        return ByteBuffer.allocate(16).putLong(id.high()).putLong(id.low()).array();
    }

    private static @Nullable Object branch(AttributeValue value) {
        return switch (value.type()) {
            case S -> ((AttributeValue.S) value).value();
            case N -> {
                GenericRecord number = new GenericData.Record(BRANCHES.get(4));
                number.put("text", ((AttributeValue.N) value).value().text());
                yield number;
            }
            case B -> ((AttributeValue.B) value).value().asByteBuffer();
            case BOOL -> ((AttributeValue.Bool) value).value();
            case NULL -> null;
            case L ->
                    new ArrayList<>(
                            ((AttributeValue.L) value)
                                    .values().stream().map(GenericForm::value).toList());
            case M -> item(((AttributeValue.M) value).values());
            case SS -> set(7, ((AttributeValue.SS) value).values().stream().toList());
            case NS ->
                    set(
                            8,
                            ((AttributeValue.NS) value)
                                    .values().stream().map(Decimal::text).toList());
            case BS ->
                    set(
                            9,
                            ((AttributeValue.BS) value)
                                    .values().stream().map(Binary::asByteBuffer).toList());
        };
    }

    private static GenericRecord set(int branch, List<?> members) {
        GenericRecord set = new GenericData.Record(BRANCHES.get(branch));
        set.put("values", members);
        return set;
    }

    private static final class Operations implements Write.Cases<GenericRecord> {

        private static GenericRecord operation(int branch) {
            return new GenericData.Record(
                    WireSchemas.WRITE.getField("operation").schema().getTypes().get(branch));
        }

        @Override
        public GenericRecord putItem(Write.PutItem put) {
            GenericRecord generic = operation(0);
            generic.put("item", item(put.item().attributes()));
            return conditional(generic, put.condition(), put.placeholders());
        }

        @Override
        public GenericRecord deleteItem(Write.DeleteItem delete) {
            GenericRecord generic = operation(1);
            generic.put("key", item(delete.key().attributes()));
            return conditional(generic, delete.condition(), delete.placeholders());
        }

        @Override
        public GenericRecord updateItem(Write.UpdateItem update) {
            GenericRecord generic = operation(2);
            generic.put("key", item(update.key().attributes()));
            generic.put("update", update.update().orElse(null));
            return conditional(generic, update.condition(), update.placeholders());
        }

        @Override
        public GenericRecord defineIndexKeys(Write.DefineIndexKeys define) {
            GenericRecord generic = operation(3);
            generic.put("version", define.version());
            Schema element = generic.getSchema().getField("indexes").schema().getElementType();
            List<GenericRecord> indexes = new ArrayList<>();
            for (Write.IndexKeys index : define.indexes()) {
                GenericRecord keys = new GenericData.Record(element);
                keys.put("name", index.name().value());
                keys.put("partition", attributes(element, index.partition()));
                keys.put("sort", attributes(element, index.sort()));
                indexes.add(keys);
            }
            generic.put("indexes", indexes);
            return generic;
        }

        @Override
        public GenericRecord barrier(Write.Barrier barrier) {
            return operation(4);
        }

        @Override
        public GenericRecord expireItem(Write.ExpireItem expire) {
            GenericRecord generic = operation(5);
            generic.put("key", item(expire.key().attributes()));
            generic.put("attribute", expire.attribute());
            generic.put("asOf", expire.asOf().toEpochMilli());
            return generic;
        }

        @Override
        public GenericRecord defineTimeToLive(Write.DefineTimeToLive define) {
            GenericRecord generic = operation(6);
            generic.put("version", define.setting().version());
            generic.put("attribute", define.setting().attribute().orElse(null));
            return generic;
        }

        @Override
        public GenericRecord refreshItem(Write.RefreshItem refresh) {
            GenericRecord generic = operation(7);
            generic.put("key", item(refresh.key().attributes()));
            generic.put("stale", refresh.stale().map(GenericForm::image).orElse(null));
            return generic;
        }

        private static GenericRecord conditional(
                GenericRecord generic, Optional<String> condition, Placeholders placeholders) {
            generic.put("condition", condition.orElse(null));
            generic.put("names", placeholders.names());
            generic.put("values", item(placeholders.values()));
            return generic;
        }

        private static List<GenericRecord> attributes(Schema index, List<KeyAttribute> attributes) {
            Schema element = index.getField("partition").schema().getElementType();
            List<GenericRecord> generic = new ArrayList<>();
            for (KeyAttribute attribute : attributes) {
                GenericRecord key = new GenericData.Record(element);
                key.put("name", attribute.name());
                key.put(
                        "type",
                        new GenericData.EnumSymbol(
                                element.getField("type").schema(), attribute.type().name()));
                generic.add(key);
            }
            return generic;
        }
    }
}
