package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a value stands within an item: an attribute, then steps into maps and lists.
 *
 * @param elements the steps; the first is not an index
 */
public record DocumentPath(List<PathElement> elements) {

    /** The most steps. Source: DynamoDB, nesting of document paths. */
    public static final int MAX_DEPTH = 32;

    public DocumentPath {
        elements = List.copyOf(elements);
        if (elements.isEmpty() || elements.get(0) instanceof PathElement.Index) {
            throw new IllegalArgumentException("Invalid document path: no attribute");
        }
    }

    /** Returns the path of an attribute. */
    public static DocumentPath of(String attribute) {
        return new DocumentPath(List.of(new PathElement.Name(attribute)));
    }

    public boolean isTopLevel() {
        return elements.size() == 1;
    }

    /** Returns the name of the attribute the path begins with. */
    public String attribute(Placeholders placeholders) {
        return name(elements.get(0), placeholders);
    }

    /** Returns this path with names in the place of placeholders; all must be defined. */
    public DocumentPath resolve(Placeholders placeholders) {
        for (PathElement element : elements) {
            if (element instanceof PathElement.Alias) {
                return resolved(placeholders);
            }
        }
        return this;
    }

    /** Returns the value at this path, or null if there is none. */
    public @Nullable AttributeValue find(Item item, Placeholders placeholders) {
        AttributeValue value = item.get(attribute(placeholders));
        for (int at = 1; at < elements.size() && value != null; at++) {
            PathElement element = elements.get(at);
            if (element instanceof PathElement.Index index) {
                value =
                        value instanceof AttributeValue.L list
                                        && index.index() < list.values().size()
                                ? list.values().get(index.index())
                                : null;
            } else {
                value =
                        value instanceof AttributeValue.M map
                                ? map.values().get(name(element, placeholders))
                                : null;
            }
        }
        return value;
    }

    /** Returns the path as expressions have it: {@code a.#b[0]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (PathElement element : elements) {
            if (text.length() > 0 && !(element instanceof PathElement.Index)) {
                text.append('.');
            }
            text.append(element);
        }
        return text.toString();
    }

    /** Returns the path as error texts have it: {@code [a, b, [0]]}. */
    String shown() {
        return elements.toString();
    }

    private DocumentPath resolved(Placeholders placeholders) {
        List<PathElement> names = new ArrayList<>(elements.size());
        for (PathElement element : elements) {
            names.add(
                    element instanceof PathElement.Alias
                            ? new PathElement.Name(name(element, placeholders))
                            : element);
        }
        return new DocumentPath(names);
    }

    private static String name(PathElement element, Placeholders placeholders) {
        if (element instanceof PathElement.Name name) {
            return name.name();
        }
        if (element instanceof PathElement.Alias alias) {
            String name = placeholders.names().get(alias.placeholder());
            if (name == null) {
                throw new IllegalStateException("Path was used before its names were checked");
            }
            return name;
        }
        throw new IllegalStateException("An index has no name");
    }
}
