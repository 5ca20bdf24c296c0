package dev.tidemark.wire;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Changes of one table as records: the Avro schema {@code dev.tidemark.wire.Change}. The key
 * travels with the names that the table's key schema gives it.
 */
public final class ChangeCodec extends FramedCodec<ChangeRecord> {

    private static final int INSERT = 0;
    private static final int MODIFY = 1;
    private static final int REMOVE = 2;
    private static final int KINDS = 3;

    private static final List<ChangeCause> CAUSES =
            List.of(ChangeCause.REQUEST, ChangeCause.TIME_TO_LIVE, ChangeCause.REPAIR);

    private final KeySchema keySchema;

    public ChangeCodec(SchemaRegistry registry, KeySchema keySchema) {
        super(WireSchemas.CHANGE, registry);
        this.keySchema = keySchema;
    }

    @Override
    void writeBody(ChangeRecord change, AvroWriter out) {
        Optional<Item> before = change.before();
        Optional<Item> after = change.after();
        out.writeLong(before.isEmpty() ? INSERT : after.isPresent() ? MODIFY : REMOVE);
        ItemCodec.writeMap(keySchema.toItem(change.key()).attributes(), out, 0);
        writeImage(before, out);
        writeImage(after, out);
        ChangeOrigin origin = change.origin();
        out.writeLong(origin.position().partition());
        out.writeLong(origin.position().sequence());
        out.writeLong(origin.writeOffset());
        out.writeLong(origin.time().toEpochMilli());
        out.writeLong(CAUSES.indexOf(origin.cause()));
    }

    @Override
    ChangeRecord readBody(AvroReader in) {
        int kind = in.readIndex(KINDS);
        PrimaryKey key =
                keySchema
                        .keyOf(ItemCodec.readItem(in))
                        .orElseThrow(
                                () ->
                                        new WireFormatException(
                                                "Invalid change: its key is not one of the table"));
        Optional<Item> before = readImage(in);
        Optional<Item> after = readImage(in);
        Position position = readPosition(in);
        long writeOffset = in.readLong();
        Instant time = Instant.ofEpochMilli(in.readLong());
        ChangeOrigin origin =
                new ChangeOrigin(
                        position, writeOffset, time, CAUSES.get(in.readIndex(CAUSES.size())));
        if (before.isPresent() != (kind != INSERT) || after.isPresent() != (kind != REMOVE)) {
            throw new WireFormatException("Invalid change: images do not match its kind");
        }
        if (before.isEmpty()) {
            return new ChangeRecord.Inserted(key, origin, after.orElseThrow());
        }
        return after.isPresent()
                ? new ChangeRecord.Modified(key, origin, before.get(), after.get())
                : new ChangeRecord.Removed(key, origin, before.get());
    }

    static Position readPosition(AvroReader in) {
        int partition = in.readInt();
        long sequence = in.readLong();
        if (partition < 0 || sequence < 0) {
            throw new WireFormatException("Invalid position: negative");
        }
        return new Position(partition, sequence);
    }

    private static void writeImage(Optional<Item> image, AvroWriter out) {
        if (image.isPresent()) {
            out.writeLong(1);
            ItemCodec.writeMap(image.get().attributes(), out, 0);
        } else {
            out.writeLong(0);
        }
    }

    private static Optional<Item> readImage(AvroReader in) {
        return in.readIndex(2) == 0 ? Optional.empty() : Optional.of(ItemCodec.readItem(in));
    }
}
