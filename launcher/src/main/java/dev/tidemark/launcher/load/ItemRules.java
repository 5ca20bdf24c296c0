package dev.tidemark.launcher.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a row of text becomes an item.
 *
 * @param numbers columns whose values are numbers; all others are strings
 * @param constants attributes every item gets, by name
 * @param derived attributes cut from a column
 */
public record ItemRules(Set<String> numbers, Map<String, String> constants, List<Derived> derived) {

    public ItemRules {
        numbers = Set.copyOf(numbers);
        constants = new LinkedHashMap<>(constants);
        derived = List.copyOf(derived);
    }

    /**
     * An attribute made of some characters of a column.
     *
     * @param name the attribute
     * @param column the column
     * @param from the first character, from 0
     * @param to the character after the last; beyond the end means up to the end
     */
    public record Derived(String name, String column, int from, int to) {
        public Derived {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException(
                        "Invalid derived attribute " + name + ": no characters");
            }
        }
    }

    /**
     * Returns the item of a row; an empty value makes no attribute.
     *
     * @throws IllegalArgumentException if a value does not suit its type; the message says which
     *     and why
     */
    ObjectNode itemOf(Map<String, String> columns) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        columns.forEach((name, text) -> put(item, name, text));
        addTo(item, columns);
        return item;
    }

    /** Adds constants and derived attributes to an item. */
    void addTo(ObjectNode item, Map<String, String> columns) {
        derived.forEach(
                rule -> {
                    String text = columns.getOrDefault(rule.column(), "");
                    if (text.length() > rule.from()) {
                        put(
                                item,
                                rule.name(),
                                text.substring(rule.from(), Math.min(rule.to(), text.length())));
                    }
                });
        constants.forEach((name, text) -> put(item, name, text));
    }

    private void put(ObjectNode item, String name, String text) {
        if (text.isEmpty()) {
            return;
        }
        if (!numbers.contains(name)) {
            item.putObject(name).put("S", text);
            return;
        }
        try {
            item.putObject(name).put("N", Decimal.parse(text.strip()).text());
        } catch (InvalidNumberException e) {
            throw new IllegalArgumentException("column " + name + ": " + e.getMessage(), e);
        }
    }
}
