package dev.tidemark.model.table;

import dev.tidemark.model.item.Item;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which attributes of an item an index entry carries. */
public sealed interface Projection {

    /** Returns the part of {@code item} the index keeps; key attributes are always kept. */
    Item apply(Item item, Collection<String> keyNames);

    /** Returns whether entries carry the attribute {@code name}. */
    boolean covers(String name, Collection<String> keyNames);

    /** Entries carry the whole item. */
    record All() implements Projection {
        @Override
        public Item apply(Item item, Collection<String> keyNames) {
            return item;
        }

        @Override
        public boolean covers(String name, Collection<String> keyNames) {
            return true;
        }
    }

    /** Entries carry the keys of table and index. */
    record KeysOnly() implements Projection {
        @Override
        public Item apply(Item item, Collection<String> keyNames) {
            return item.only(keyNames);
        }

        @Override
        public boolean covers(String name, Collection<String> keyNames) {
            return keyNames.contains(name);
        }
    }

    /**
     * Entries carry the keys and the attributes named.
     *
     * @param names in the order the owner gave them, without repeats
     */
    record Include(List<String> names) implements Projection {
        public Include {
            names = List.copyOf(new LinkedHashSet<>(names));
        }

        @Override
        public Item apply(Item item, Collection<String> keyNames) {
            Set<String> kept = new HashSet<>(keyNames);
            kept.addAll(names);
            return item.only(kept);
        }

        @Override
        public boolean covers(String name, Collection<String> keyNames) {
            return keyNames.contains(name) || names.contains(name);
        }
    }
}
