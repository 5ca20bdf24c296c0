package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An index, or the table seen as one.
 *
 * @param name its name; empty for the table
 * @param kind what it is
 * @param partition the attributes that decide where an entry is
 * @param sort the attributes that order entries
 * @param included the attributes carried besides keys; empty if all are
 */
public record IndexShape(
        String name,
        Kind kind,
        List<KeyAttribute> partition,
        List<KeyAttribute> sort,
        Optional<Set<String>> included) {

    /** What there is to be read. */
    public enum Kind {
        TABLE,
        LOCAL,
        GLOBAL
    }

    /** The most bytes of a partition key value. */
    static final int PARTITION_BYTES = 2048;

    /** The most bytes of a sort key value. */
    static final int SORT_BYTES = 1024;

    public IndexShape {
        partition = List.copyOf(partition);
        sort = List.copyOf(sort);
        included = included.map(Set::copyOf);
    }

    public boolean isGlobal() {
        return kind == Kind.GLOBAL;
    }

    public boolean isLocal() {
        return kind == Kind.LOCAL;
    }

    /** Returns the key attributes, those of the partition first. */
    public List<KeyAttribute> key() {
        List<KeyAttribute> key = new ArrayList<>(partition);
        key.addAll(sort);
        return key;
    }

    /** Returns the names of the key attributes of this and of its table. */
    public Set<String> keyNames(TableShape table) {
        Set<String> names = new LinkedHashSet<>();
        key().forEach(attribute -> names.add(attribute.name()));
        table.primary().key().forEach(attribute -> names.add(attribute.name()));
        return names;
    }

    /** Returns the values of some key attributes, which the item has. */
    static List<AttributeValue> values(List<KeyAttribute> attributes, Item item) {
        return attributes.stream()
                .map(attribute -> item.attribute(attribute.name()).orElseThrow())
                .toList();
    }

    /** Returns whether every key attribute is there and can be a key: others have no entry. */
    public boolean admits(Item item) {
        return partition.stream().allMatch(each -> suits(each, PARTITION_BYTES, item))
                && sort.stream().allMatch(each -> suits(each, SORT_BYTES, item));
    }

    private static boolean suits(KeyAttribute attribute, int mostBytes, Item item) {
        return item.attribute(attribute.name())
                .filter(value -> flaw(attribute, mostBytes, value).isEmpty())
                .isPresent();
    }

    /** Returns a part of what the caller is told if an item's value can't be a key here. */
    Optional<String> flaw(Item item, Set<String> attributes) {
        for (KeyAttribute attribute : key()) {
            int mostBytes = partition.contains(attribute) ? PARTITION_BYTES : SORT_BYTES;
            Optional<String> flaw =
                    item.attribute(attribute.name())
                            .filter(value -> attributes.contains(attribute.name()))
                            .flatMap(value -> flaw(attribute, mostBytes, value));
            if (flaw.isPresent()) {
                return flaw;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> flaw(
            KeyAttribute attribute, int mostBytes, AttributeValue value) {
        if (!value.type().name().equals(attribute.type().name())) {
            return Optional.of(" mismatch for ");
        }
        if (value instanceof AttributeValue.N) {
            return Optional.empty();
        }
        if (value.size() == 0) {
            return Optional.of(" contain an empty ");
        }
        return value.size() > mostBytes
                ? Optional.of(Integer.toString(mostBytes))
                : Optional.empty();
    }

    /** Returns what an entry carries of an item. */
    public Item projected(TableShape table, Item item) {
        return included.map(
                        names -> {
                            Set<String> kept = new LinkedHashSet<>(names);
                            kept.addAll(keyNames(table));
                            return item.only(kept);
                        })
                .orElse(item);
    }

    /** Returns whether every entry carries these attributes if its item has them. */
    public boolean covers(TableShape table, Set<String> names) {
        return included.isEmpty()
                || names.stream()
                        .allMatch(
                                name ->
                                        included.get().contains(name)
                                                || keyNames(table).contains(name));
    }
}
