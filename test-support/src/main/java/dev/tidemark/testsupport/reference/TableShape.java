package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A table as it is created.
 *
 * @param name its name
 * @param primary the table itself
 * @param indexes its indexes
 */
public record TableShape(String name, IndexShape primary, List<IndexShape> indexes) {

    public TableShape {
        indexes = List.copyOf(indexes);
    }

    /** Returns the table and all its indexes. */
    public List<IndexShape> all() {
        List<IndexShape> all = new ArrayList<>();
        all.add(primary);
        all.addAll(indexes);
        return all;
    }

    /** Returns the names of the table's key attributes. */
    public Set<String> keyNames() {
        return primary.keyNames(this);
    }

    /** Returns the names of the attributes that are keys of some index. */
    public Set<String> indexKeyNames() {
        Set<String> names = new LinkedHashSet<>();
        indexes.forEach(index -> index.key().forEach(attribute -> names.add(attribute.name())));
        return names;
    }

    /** Returns an item's key attributes. */
    public Item keyOf(Item item) {
        return item.only(keyNames());
    }
}
