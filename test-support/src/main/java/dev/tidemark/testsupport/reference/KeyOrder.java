package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The order of entries: by the keys of the index, then by those of the table. */
final class KeyOrder implements Comparator<Item> {

    private final List<KeyAttribute> attributes;

    KeyOrder(TableShape table, IndexShape index) {
        this.attributes = new ArrayList<>(index.key());
        this.attributes.addAll(table.primary().key());
    }

    @Override
    public int compare(Item left, Item right) {
        for (KeyAttribute attribute : attributes) {
            int order =
                    Relation.compare(
                            left.attribute(attribute.name()).orElseThrow(),
                            right.attribute(attribute.name()).orElseThrow());
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
