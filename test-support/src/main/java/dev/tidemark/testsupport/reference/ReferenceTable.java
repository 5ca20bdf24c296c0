package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A table and what it holds. Several threads may use it as long as each item is one thread's;
 * {@link #view} is for when nobody writes the items it is to show.
 */
public final class ReferenceTable {

    private static final int ITEM_BYTES = 409_600;
    private static final String MISMATCH = "The provided key element does not match the schema";

    private final TableShape shape;
    private final ConcurrentSkipListMap<Item, Item> items;
    private final List<IndexShape> indexesByName;

    public ReferenceTable(TableShape shape) {
        this.shape = shape;
        this.items = new ConcurrentSkipListMap<>(new KeyOrder(shape, shape.primary()));
        this.indexesByName =
                shape.indexes().stream().sorted(Comparator.comparing(IndexShape::name)).toList();
    }

    public TableShape shape() {
        return shape;
    }

    /**
     * Returns the item with this key, if there is one.
     *
     * @throws Refusal if it can't be a key
     */
    public Optional<Item> get(Item key) {
        requireKey(key);
        return Optional.ofNullable(items.get(key));
    }

    /**
     * Puts an item in the place of what is under its key.
     *
     * @throws Refusal if the item can't be stored, or the condition does not hold
     */
    public Written put(Item item, Optional<Clause> condition) {
        requireSensible(condition);
        requireStorable(item);
        Optional<Item> before = Optional.ofNullable(items.get(item));
        requireHolds(condition, before);
        return store(before, Optional.of(item));
    }

    /**
     * Removes the item with this key, if there is one.
     *
     * @throws Refusal if it can't be a key, or the condition does not hold
     */
    public Written delete(Item key, Optional<Clause> condition) {
        requireSensible(condition);
        requireKey(key);
        Optional<Item> before = Optional.ofNullable(items.get(key));
        requireHolds(condition, before);
        return store(before, Optional.empty());
    }

    /**
     * Updates the item with this key, or makes one.
     *
     * @throws Refusal if the update can't be made, or the condition does not hold
     */
    public Written update(Item key, Optional<Update> update, Optional<Clause> condition) {
        requireSensible(condition);
        update.ifPresent(this::requireSensible);
        requireKey(key);
        Optional<Item> before = Optional.ofNullable(items.get(key));
        requireHolds(condition, before);
        if (before.isEmpty() && update.isPresent() && !update.get().creates()) {
            return new Written(before, before);
        }
        Item changed = before.orElse(Item.EMPTY);
        if (update.isPresent()) {
            changed = update.get().appliedTo(changed);
        }
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(key.attributes());
        attributes.putAll(changed.attributes());
        Item after = new Item(attributes);
        Set<String> touched = update.map(Update::attributes).orElse(Set.of());
        requireIndexable(after, before.isPresent() ? touched : after.attributes().keySet());
        requireSmall(after);
        return store(before, Optional.of(after));
    }

    /**
     * Checks an item that is to be put.
     *
     * @throws Refusal if it can't be stored
     */
    public void requireStorable(Item item) {
        for (KeyAttribute attribute : shape.primary().key()) {
            if (item.attribute(attribute.name()).isEmpty()) {
                throw Refusal.invalid("Missing the key " + attribute.name() + " in the item");
            }
        }
        refuse(shape.primary().flaw(item, item.attributes().keySet()));
        requireIndexable(item, item.attributes().keySet());
        requireSmall(item);
    }

    /** Takes it that there is this item, or none, under a key. */
    public void settle(Item key, Optional<Item> item) {
        if (item.isPresent()) {
            items.put(shape.keyOf(key), item.get());
        } else {
            items.remove(key);
        }
    }

    /** Returns what there is to be read of the table or an index now. */
    public View view(IndexShape index) {
        return new View(shape, index, items.values());
    }

    private Written store(Optional<Item> before, Optional<Item> after) {
        if (after.isPresent()) {
            Item item = after.get();
            items.put(shape.keyOf(item), item);
        } else {
            before.ifPresent(items::remove);
        }
        return new Written(before, after);
    }

    private void requireKey(Item key) {
        if (!key.attributes().keySet().equals(shape.keyNames())) {
            throw Refusal.invalid(MISMATCH);
        }
        for (KeyAttribute attribute : shape.primary().key()) {
            AttributeValue value = key.attribute(attribute.name()).orElseThrow();
            if (!value.type().name().equals(attribute.type().name())) {
                throw Refusal.invalid(MISMATCH);
            }
        }
        refuse(shape.primary().flaw(key, key.attributes().keySet()));
    }

    private void requireSensible(Optional<Clause> condition) {
        if (condition.isPresent()
                && (condition.get().isMistaken()
                        || condition.get().paths().stream().anyMatch(this::looksIntoKey))) {
            throw Refusal.invalid("");
        }
    }

    private void requireSensible(Update update) {
        boolean changesKey =
                update.attributes().stream().anyMatch(name -> shape.keyNames().contains(name));
        if (changesKey
                || update.isMistaken()
                || update.paths().stream().anyMatch(this::looksIntoKey)) {
            throw Refusal.invalid("");
        }
    }

    private boolean looksIntoKey(ItemPath path) {
        return !path.isTopLevel()
                && (shape.keyNames().contains(path.attribute())
                        || shape.indexKeyNames().contains(path.attribute()));
    }

    /** The index whose name comes first is the one that is told. */
    private void requireIndexable(Item item, Set<String> attributes) {
        indexesByName.forEach(index -> refuse(index.flaw(item, attributes)));
    }

    private static void requireSmall(Item item) {
        if (item.size() > ITEM_BYTES) {
            throw Refusal.invalid("has exceeded the maximum allowed size");
        }
    }

    private static void requireHolds(Optional<Clause> condition, Optional<Item> before) {
        if (condition.isPresent() && !condition.get().holdsFor(before.orElse(Item.EMPTY))) {
            throw Refusal.conditionFailed(before);
        }
    }

    private static void refuse(Optional<String> flaw) {
        if (flaw.isPresent()) {
            throw Refusal.invalid(flaw.get());
        }
    }
}
