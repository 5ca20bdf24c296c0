package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.testsupport.reference.ItemPath.Element;
import dev.tidemark.testsupport.reference.ItemPath.Field;
import dev.tidemark.testsupport.reference.ItemPath.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An item taken apart, to be changed at several paths at once: positions in lists are those of the
 * item as it was until it is put together again.
 */
final class Document {

    /** What one place holds: a value, or a map or list of more places; nothing once removed. */
    private static final class Place {
        private Optional<AttributeValue> value = Optional.empty();
        private Optional<Map<String, Place>> fields = Optional.empty();
        private Optional<SortedMap<Integer, Place>> elements = Optional.empty();

        private static Place of(AttributeValue value) {
            Place place = new Place();
            if (value instanceof AttributeValue.M map) {
                Map<String, Place> fields = new LinkedHashMap<>();
                map.values().forEach((name, inner) -> fields.put(name, of(inner)));
                place.fields = Optional.of(fields);
            } else if (value instanceof AttributeValue.L list) {
                SortedMap<Integer, Place> elements = new TreeMap<>();
                list.values().forEach(inner -> elements.put(elements.size(), of(inner)));
                place.elements = Optional.of(elements);
            } else {
                place.value = Optional.of(value);
            }
            return place;
        }

        private AttributeValue toValue() {
            if (fields.isPresent()) {
                Map<String, AttributeValue> values = new LinkedHashMap<>();
                fields.get().forEach((name, place) -> values.put(name, place.toValue()));
                return new AttributeValue.M(values);
            }
            if (elements.isPresent()) {
                List<AttributeValue> values = new ArrayList<>();
                elements.get().values().forEach(place -> values.add(place.toValue()));
                return new AttributeValue.L(values);
            }
            return value.orElseThrow();
        }
    }

    private final Place root;

    Document(Item item) {
        this.root = Place.of(new AttributeValue.M(item.attributes()));
    }

    void put(ItemPath path, AttributeValue value) {
        Place parent = parent(path);
        Step last = last(path);
        if (last instanceof Field field) {
            parent.fields.orElseThrow(Document::invalid).put(field.name(), Place.of(value));
        } else if (last instanceof Element element) {
            parent.elements.orElseThrow(Document::invalid).put(element.index(), Place.of(value));
        }
    }

    void remove(ItemPath path) {
        Place parent = parent(path);
        Step last = last(path);
        if (last instanceof Field field) {
            parent.fields.orElseThrow(Document::invalid).remove(field.name());
        } else if (last instanceof Element element) {
            parent.elements.orElseThrow(Document::invalid).remove(element.index());
        }
    }

    Item toItem() {
        return new Item(((AttributeValue.M) root.toValue()).values());
    }

    private static Step last(ItemPath path) {
        return path.isTopLevel()
                ? new Field(path.attribute())
                : path.steps().get(path.steps().size() - 1);
    }

    private Place parent(ItemPath path) {
        if (path.isTopLevel()) {
            return root;
        }
        Place place = child(root, new Field(path.attribute()));
        for (Step step : path.steps().subList(0, path.steps().size() - 1)) {
            place = child(place, step);
        }
        return place;
    }

    private static Place child(Place place, Step step) {
        if (step instanceof Field field) {
            return place.fields
                    .map(fields -> fields.get(field.name()))
                    .orElseThrow(Document::invalid);
        }
        return place.elements
                .map(elements -> elements.get(((Element) step).index()))
                .orElseThrow(Document::invalid);
    }

    private static Refusal invalid() {
        return Refusal.invalid("");
    }
}
