package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a value stands within an item.
 *
 * @param attribute the attribute it is in
 * @param steps the way from the attribute to it
 */
public record ItemPath(String attribute, List<Step> steps) {

    /** A step into a map or a list. */
    public sealed interface Step permits Field, Element {}

    /** The value of a map under this name. */
    public record Field(String name) implements Step {}

    /** The value of a list at this index. */
    public record Element(int index) implements Step {}

    public ItemPath {
        steps = List.copyOf(steps);
    }

    /** Returns the path of an attribute. */
    public static ItemPath of(String attribute) {
        return new ItemPath(attribute, List.of());
    }

    /** Returns the path of what stands one step further. */
    public ItemPath then(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new ItemPath(attribute, longer);
    }

    public boolean isTopLevel() {
        return steps.isEmpty();
    }

    /** Returns the value there, if there is one. */
    public Optional<AttributeValue> in(Item item) {
        Optional<AttributeValue> value = item.attribute(attribute);
        for (Step step : steps) {
            value = value.flatMap(whole -> inside(whole, step));
        }
        return value;
    }

    /** Returns the value one step inside another, if there is one. */
    static Optional<AttributeValue> inside(AttributeValue whole, Step step) {
        if (step instanceof Field field && whole instanceof AttributeValue.M map) {
            return Optional.ofNullable(map.values().get(field.name()));
        }
        if (step instanceof Element element
                && whole instanceof AttributeValue.L list
                && element.index() < list.values().size()) {
            return Optional.of(list.values().get(element.index()));
        }
        return Optional.empty();
    }

    /**
     * Returns whether one request may not name both as its targets: one is within the other, or one
     * takes for a list what the other takes for a map.
     */
    public boolean clashesWith(ItemPath other) {
        if (!attribute.equals(other.attribute)) {
            return false;
        }
        int shared = Math.min(steps.size(), other.steps.size());
        for (int at = 0; at < shared; at++) {
            Step one = steps.get(at);
            Step two = other.steps.get(at);
            if (!one.equals(two)) {
                return one instanceof Field != two instanceof Field;
            }
        }
        return true;
    }

    /** Returns the path as an expression has it. */
    public String text(Wording wording) {
        StringBuilder text = new StringBuilder(wording.name(attribute));
        for (Step step : steps) {
            if (step instanceof Element element) {
                text.append('[').append(element.index()).append(']');
            } else if (step instanceof Field field) {
                text.append('.').append(wording.name(field.name()));
            }
        }
        return text.toString();
    }
}
