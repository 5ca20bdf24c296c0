package dev.tidemark.wire;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Updates of a global index as records: the Avro schema {@code dev.tidemark.wire.IndexUpdate}. */
public final class IndexUpdateCodec extends FramedCodec<IndexUpdate> {

    public IndexUpdateCodec(SchemaRegistry registry) {
        super(WireSchemas.INDEX_UPDATE, registry);
    }

    /**
     * Returns the parts of a framed update as they go to a store, the item unopened but its shape
     * checked. Fails as {@link #decode} does.
     */
    public RawIndexUpdate decodeRaw(byte[] framed) {
        AvroReader in = body(framed);
        Position position = ChangeCodec.readPosition(in);
        long timeMillis = in.readLong();
        byte @Nullable [] deleteKey = in.readIndex(2) == 0 ? null : in.readBytes();
        byte @Nullable [] putKey = null;
        byte @Nullable [] storedItem = null;
        if (in.readIndex(2) == 1) {
            putKey = in.readBytes();
            int from = in.at;
            StoredItems.skipMap(in, 0);
            storedItem = new byte[in.at - from + 1];
            storedItem[0] = ItemCodec.VERSION;
            System.arraycopy(in.bytes, from, storedItem, 1, in.at - from);
        }
        in.expectEnd();
        return new RawIndexUpdate(
                position.partition(),
                position.sequence(),
                timeMillis,
                deleteKey,
                putKey,
                storedItem);
    }

    @Override
    void writeBody(IndexUpdate update, AvroWriter out) {
        out.writeLong(update.position().partition());
        out.writeLong(update.position().sequence());
        out.writeLong(update.time().toEpochMilli());
        if (update.delete().isPresent()) {
            out.writeLong(1);
            out.writeBytes(update.delete().get().toByteArray());
        } else {
            out.writeLong(0);
        }
        if (update.put().isPresent()) {
            IndexUpdate.Put put = update.put().get();
            out.writeLong(1);
            out.writeBytes(put.entryKey().toByteArray());
            ItemCodec.writeMap(put.projected().attributes(), out, 0);
        } else {
            out.writeLong(0);
        }
    }

    @Override
    IndexUpdate readBody(AvroReader in) {
        Position position = ChangeCodec.readPosition(in);
        Instant time = Instant.ofEpochMilli(in.readLong());
        Optional<Binary> delete =
                in.readIndex(2) == 0 ? Optional.empty() : Optional.of(Binary.wrap(in.readBytes()));
        if (in.readIndex(2) == 0) {
            return new IndexUpdate(position, time, delete, Optional.empty());
        }
        Binary key = Binary.wrap(in.readBytes());
        Item projected = ItemCodec.readItem(in);
        return new IndexUpdate(
                position, time, delete, Optional.of(new IndexUpdate.Put(key, projected)));
    }
}
