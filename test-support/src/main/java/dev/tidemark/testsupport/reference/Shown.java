package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.testsupport.reference.ItemPath.Element;
import dev.tidemark.testsupport.reference.ItemPath.Field;
import dev.tidemark.testsupport.reference.ItemPath.Step;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which part of the items that are read is shown. */
public sealed interface Shown {

    /** Whatever the table or index has. */
    record Projected() implements Shown {}

    /** Whole items, of an index as well. */
    record Whole() implements Shown {}

    /** Only how many there are. */
    record Counted() implements Shown {}

    /** What is at these paths. */
    record Parts(List<ItemPath> paths) implements Shown {

        /** Returns the attributes that the paths begin with. */
        public Set<String> attributes() {
            Set<String> names = new LinkedHashSet<>();
            paths.forEach(path -> names.add(path.attribute()));
            return names;
        }

        /** Returns whether these paths can't be asked for together. */
        public boolean isMistaken() {
            for (int one = 0; one < paths.size(); one++) {
                for (int two = 0; two < one; two++) {
                    if (paths.get(one).clashesWith(paths.get(two))) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Returns what of an item is at the paths. */
        public Item of(Item item) {
            return parts(item, paths);
        }
    }

    /** Returns what of an item is at these paths; of a list, what is found moves together. */
    static Item parts(Item item, List<ItemPath> paths) {
        Map<String, AttributeValue> kept = new LinkedHashMap<>();
        item.attributes()
                .forEach(
                        (name, value) -> {
                            List<List<Step>> ways =
                                    paths.stream()
                                            .filter(path -> path.attribute().equals(name))
                                            .map(ItemPath::steps)
                                            .toList();
                            part(value, ways).ifPresent(part -> kept.put(name, part));
                        });
        return new Item(kept);
    }

    private static Optional<AttributeValue> part(AttributeValue value, List<List<Step>> ways) {
        if (ways.isEmpty()) {
            return Optional.empty();
        }
        if (ways.stream().anyMatch(List::isEmpty)) {
            return Optional.of(value);
        }
        if (value instanceof AttributeValue.M map) {
            Map<String, AttributeValue> kept = new LinkedHashMap<>();
            map.values()
                    .forEach(
                            (name, inner) ->
                                    part(inner, after(new Field(name), ways))
                                            .ifPresent(part -> kept.put(name, part)));
            return Optional.of(kept).filter(found -> !found.isEmpty()).map(AttributeValue.M::new);
        }
        if (value instanceof AttributeValue.L) {
            Set<Integer> indexes = new TreeSet<>();
            for (List<Step> way : ways) {
                if (way.get(0) instanceof Element element) {
                    indexes.add(element.index());
                }
            }
            List<AttributeValue> kept =
                    indexes.stream()
                            .map(Element::new)
                            .flatMap(
                                    element ->
                                            ItemPath.inside(value, element)
                                                    .flatMap(
                                                            inner ->
                                                                    part(
                                                                            inner,
                                                                            after(element, ways)))
                                                    .stream())
                            .toList();
            return Optional.of(kept).filter(found -> !found.isEmpty()).map(AttributeValue.L::new);
        }
        return Optional.empty();
    }

    private static List<List<Step>> after(Step step, List<List<Step>> ways) {
        return ways.stream()
                .filter(way -> way.get(0).equals(step))
                .map(way -> way.subList(1, way.size()))
                .toList();
    }
}
