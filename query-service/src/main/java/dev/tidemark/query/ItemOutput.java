package dev.tidemark.query;

import dev.tidemark.expressions.BoundProjection;
import dev.tidemark.model.item.Item;
import dev.tidemark.wire.AttributeNames;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.ItemJson;
import dev.tidemark.wire.JsonBytes;
import dev.tidemark.wire.StoredItems;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Which part of stored items a reply shows. Immutable. */
public interface ItemOutput {

    /** Appends what is shown of a stored item, as a JSON object. */
    void write(byte[] stored, JsonBytes out);

    /** Returns the names of the attributes asked for, or empty if whatever there is. */
    default Optional<Collection<String>> names() {
        return Optional.empty();
    }

    /** Shows items as they are. */
    ItemOutput WHOLE = StoredItems::writeJson;

    /** Returns an output that shows whole attributes. */
    static ItemOutput of(List<String> names) {
        return new Attributes(names, AttributeNames.of(names));
    }

    /** Returns an output that shows what {@code projection} leaves. */
    static ItemOutput of(BoundProjection projection) {
        return projection.isNested()
                ? new Paths(projection)
                : of(List.copyOf(projection.topLevelNames()));
    }

    /** Shows whole attributes, found without reading the others. */
    record Attributes(List<String> wanted, AttributeNames encoded) implements ItemOutput {
        @Override
        public void write(byte[] stored, JsonBytes out) {
            StoredItems.writeJson(stored, encoded, out);
        }

        @Override
        public Optional<Collection<String>> names() {
            return Optional.of(wanted);
        }
    }

    /** Shows parts of attributes. */
    record Paths(BoundProjection projection) implements ItemOutput {
        @Override
        public void write(byte[] stored, JsonBytes out) {
            Item item = ItemCodec.decode(stored);
            ItemJson.write(projection.apply(item), out);
        }

        @Override
        public Optional<Collection<String>> names() {
            return Optional.of(projection.topLevelNames());
        }
    }
}
