package dev.tidemark.wire;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands as records of a table's log: the Avro schema {@code dev.tidemark.wire.Write}. */
public final class WriteCodec extends FramedCodec<WriteCommand> {

    private static final int PUT_ITEM = 0;
    private static final int DELETE_ITEM = 1;
    private static final int UPDATE_ITEM = 2;
    private static final int DEFINE_INDEX_KEYS = 3;
    private static final int BARRIER = 4;
    private static final int EXPIRE_ITEM = 5;
    private static final int DEFINE_TIME_TO_LIVE = 6;
    private static final int REFRESH_ITEM = 7;
    private static final int OPERATIONS = 8;

    private static final List<KeyType> KEY_TYPES = List.of(KeyType.S, KeyType.N, KeyType.B);

    public WriteCodec(SchemaRegistry registry) {
        super(WireSchemas.WRITE, registry);
    }

    @Override
    void writeBody(WriteCommand command, AvroWriter out) {
        RequestId requestId = command.requestId().orElse(null);
        if (requestId == null) {
            out.writeLong(0);
        } else {
            out.writeLong(1);
            out.writeFixed64(requestId.high());
            out.writeFixed64(requestId.low());
        }
        command.write().match(new Operations(out));
    }

    @Override
    WriteCommand readBody(AvroReader in) {
        Optional<RequestId> requestId =
                in.readIndex(2) == 0
                        ? Optional.empty()
                        : Optional.of(new RequestId(readFixed64(in), readFixed64(in)));
        return new WriteCommand(requestId, readOperation(in));
    }

    private static Write readOperation(AvroReader in) {
        return switch (in.readIndex(OPERATIONS)) {
            case PUT_ITEM -> {
                Item item = ItemCodec.readItem(in);
                Optional<String> condition = readOptional(in);
                yield new Write.PutItem(item, condition, readPlaceholders(in));
            }
            case DELETE_ITEM -> {
                Item key = ItemCodec.readItem(in);
                Optional<String> condition = readOptional(in);
                yield new Write.DeleteItem(key, condition, readPlaceholders(in));
            }
            case UPDATE_ITEM -> {
                Item key = ItemCodec.readItem(in);
                Optional<String> update = readOptional(in);
                Optional<String> condition = readOptional(in);
                yield new Write.UpdateItem(key, update, condition, readPlaceholders(in));
            }
            case DEFINE_INDEX_KEYS -> {
                long version = in.readLong();
                yield new Write.DefineIndexKeys(version, readIndexes(in));
            }
            case BARRIER -> new Write.Barrier();
            case EXPIRE_ITEM -> {
                Item key = ItemCodec.readItem(in);
                String attribute = in.readString();
                yield new Write.ExpireItem(key, attribute, Instant.ofEpochMilli(in.readLong()));
            }
            case DEFINE_TIME_TO_LIVE -> new Write.DefineTimeToLive(readTimeToLive(in));
            default -> {
                Item key = ItemCodec.readItem(in);
                yield new Write.RefreshItem(
                        key,
                        in.readIndex(2) == 0
                                ? Optional.empty()
                                : Optional.of(ItemCodec.readItem(in)));
            }
        };
    }

    private static TimeToLive readTimeToLive(AvroReader in) {
        long version = in.readLong();
        if (version < 0) {
            throw new WireFormatException("Invalid write: negative version");
        }
        return new TimeToLive(version, readOptional(in));
    }

    private static Placeholders readPlaceholders(AvroReader in) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int count = in.readBlock(2); count > 0; count = in.readBlock(2)) {
            for (int left = count; left > 0; left--) {
                String placeholder = in.readString();
                names.put(placeholder, in.readString());
            }
        }
        Map<String, AttributeValue> values = ItemCodec.readMap(in, 0);
        return names.isEmpty() && values.isEmpty()
                ? Placeholders.NONE
                : new Placeholders(names, values);
    }

    private static List<Write.IndexKeys> readIndexes(AvroReader in) {
        List<Write.IndexKeys> indexes = new ArrayList<>();
        for (int count = in.readBlock(3); count > 0; count = in.readBlock(3)) {
            for (int left = count; left > 0; left--) {
                IndexName name = readIndexName(in);
                List<KeyAttribute> partition = readKeyAttributes(in);
                indexes.add(new Write.IndexKeys(name, partition, readKeyAttributes(in)));
            }
        }
        return indexes;
    }

    private static IndexName readIndexName(AvroReader in) {
        try {
            return new IndexName(in.readString());
        } catch (IllegalArgumentException e) {
            throw new WireFormatException("Invalid write: not an index name");
        }
    }

    private static List<KeyAttribute> readKeyAttributes(AvroReader in) {
        List<KeyAttribute> attributes = new ArrayList<>();
        for (int count = in.readBlock(2); count > 0; count = in.readBlock(2)) {
            for (int left = count; left > 0; left--) {
                String name = in.readString();
                if (name.isEmpty()) {
                    throw new WireFormatException("Invalid write: empty key attribute name");
                }
                attributes.add(new KeyAttribute(name, KEY_TYPES.get(in.readIndex(3))));
            }
        }
        return attributes;
    }

    private static Optional<String> readOptional(AvroReader in) {
        return in.readIndex(2) == 0 ? Optional.empty() : Optional.of(in.readString());
    }

    private static long readFixed64(AvroReader in) {
        int from = in.at;
        in.skip(8);
        long value = 0;
        for (int at = from; at < from + 8; at++) {
            value = value << 8 | (in.bytes[at] & 0xFF);
        }
        return value;
    }

    /** Writes one operation. */
    private record Operations(AvroWriter out) implements Write.Cases<AvroWriter> {

        @Override
        public AvroWriter putItem(Write.PutItem put) {
            out.writeLong(PUT_ITEM);
            ItemCodec.writeMap(put.item().attributes(), out, 0);
            writeOptional(put.condition());
            return writePlaceholders(put.placeholders());
        }

        @Override
        public AvroWriter deleteItem(Write.DeleteItem delete) {
            out.writeLong(DELETE_ITEM);
            ItemCodec.writeMap(delete.key().attributes(), out, 0);
            writeOptional(delete.condition());
            return writePlaceholders(delete.placeholders());
        }

        @Override
        public AvroWriter updateItem(Write.UpdateItem update) {
            out.writeLong(UPDATE_ITEM);
            ItemCodec.writeMap(update.key().attributes(), out, 0);
            writeOptional(update.update());
            writeOptional(update.condition());
            return writePlaceholders(update.placeholders());
        }

        @Override
        public AvroWriter defineIndexKeys(Write.DefineIndexKeys define) {
            out.writeLong(DEFINE_INDEX_KEYS);
            out.writeLong(define.version());
            writeCount(define.indexes().size());
            for (Write.IndexKeys index : define.indexes()) {
                out.writeString(index.name().value());
                writeKeyAttributes(index.partition());
                writeKeyAttributes(index.sort());
            }
            return writeEnd();
        }

        @Override
        public AvroWriter barrier(Write.Barrier barrier) {
            out.writeLong(BARRIER);
            return out;
        }

        @Override
        public AvroWriter expireItem(Write.ExpireItem expire) {
            out.writeLong(EXPIRE_ITEM);
            ItemCodec.writeMap(expire.key().attributes(), out, 0);
            out.writeString(expire.attribute());
            out.writeLong(expire.asOf().toEpochMilli());
            return out;
        }

        @Override
        public AvroWriter defineTimeToLive(Write.DefineTimeToLive define) {
            out.writeLong(DEFINE_TIME_TO_LIVE);
            out.writeLong(define.setting().version());
            writeOptional(define.setting().attribute());
            return out;
        }

        @Override
        public AvroWriter refreshItem(Write.RefreshItem refresh) {
            out.writeLong(REFRESH_ITEM);
            ItemCodec.writeMap(refresh.key().attributes(), out, 0);
            if (refresh.stale().isPresent()) {
                out.writeLong(1);
                ItemCodec.writeMap(refresh.stale().get().attributes(), out, 0);
            } else {
                out.writeLong(0);
            }
            return out;
        }

        private void writeOptional(Optional<String> text) {
            if (text.isPresent()) {
                out.writeLong(1);
                out.writeString(text.get());
            } else {
                out.writeLong(0);
            }
        }

        private AvroWriter writePlaceholders(Placeholders placeholders) {
            Map<String, String> names = placeholders.names();
            writeCount(names.size());
            names.forEach(
                    (placeholder, name) -> {
                        out.writeString(placeholder);
                        out.writeString(name);
                    });
            writeEnd();
            ItemCodec.writeMap(placeholders.values(), out, 0);
            return out;
        }

        private void writeKeyAttributes(List<KeyAttribute> attributes) {
            writeCount(attributes.size());
            for (KeyAttribute attribute : attributes) {
                out.writeString(attribute.name());
                out.writeLong(KEY_TYPES.indexOf(attribute.type()));
            }
            writeEnd();
        }

        /** Writes the head of the only block; an empty array or map has but its end. */
        private void writeCount(int count) {
            if (count > 0) {
                out.writeLong(count);
            }
        }

        private AvroWriter writeEnd() {
            out.writeLong(0);
            return out;
        }
    }
}
