package dev.tidemark.expressions.tree;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Several document paths of one item, none at or below another, each with something that belongs to
 * it. Immutable once built, and then thread-safe.
 *
 * @param <T> what belongs to a path
 */
public final class PathTree<T> {

    private final ExpressionKind kind;
    private final Map<String, Node<T>> roots = new LinkedHashMap<>();
    private boolean nested;

    /** Makes an empty tree for an expression of {@code kind}. */
    public PathTree(ExpressionKind kind) {
        this.kind = kind;
    }

    /**
     * Adds a path, with names in the place of placeholders.
     *
     * @throws dev.tidemark.model.error.ApiException if it overlaps with another, or takes for a
     *     list what another takes for a map
     */
    public void add(DocumentPath path, T content) {
        List<PathElement> elements = path.elements();
        nested |= elements.size() > 1;
        String attribute = elements.get(0).toString();
        Node<T> node = roots.get(attribute);
        boolean fresh = node == null;
        if (node == null) {
            node = new Node<>(path);
            roots.put(attribute, node);
        }
        for (int at = 1; at < elements.size(); at++) {
            if (node.content != null) {
                throw clash(ExpressionMessages.PATHS_OVERLAP, node.first, path);
            }
            PathElement element = elements.get(at);
            Node<T> child;
            if (element instanceof PathElement.Index index) {
                if (!node.fields.isEmpty()) {
                    throw clash(ExpressionMessages.PATHS_CONFLICT, node.first, path);
                }
                child = node.elements.get(index.index());
                fresh = child == null;
                if (child == null) {
                    child = new Node<>(path);
                    node.elements.put(index.index(), child);
                }
            } else {
                if (!node.elements.isEmpty()) {
                    throw clash(ExpressionMessages.PATHS_CONFLICT, node.first, path);
                }
                child = node.fields.get(element.toString());
                fresh = child == null;
                if (child == null) {
                    child = new Node<>(path);
                    node.fields.put(element.toString(), child);
                }
            }
            node = child;
        }
        if (!fresh) {
            throw clash(ExpressionMessages.PATHS_OVERLAP, node.first, path);
        }
        node.content = content;
    }

    /** Returns the names of the attributes that paths begin with, in the order they came. */
    public Set<String> attributes() {
        return Collections.unmodifiableSet(roots.keySet());
    }

    /** Returns whether some path leads into a map or list. */
    public boolean isNested() {
        return nested;
    }

    /** Returns the part of {@code item} at the paths, its maps and lists cut down to it. */
    public Item project(Item item) {
        Map<String, AttributeValue> kept = new LinkedHashMap<>();
        if (!nested) {
            for (Map.Entry<String, AttributeValue> entry : item.attributes().entrySet()) {
                if (roots.containsKey(entry.getKey())) {
                    kept.put(entry.getKey(), entry.getValue());
                }
            }
            return new Item(kept);
        }
        for (Map.Entry<String, AttributeValue> entry : item.attributes().entrySet()) {
            Node<T> node = roots.get(entry.getKey());
            AttributeValue part = node == null ? null : node.project(entry.getValue());
            if (part != null) {
                kept.put(entry.getKey(), part);
            }
        }
        return new Item(kept);
    }

    /** Changes the value at a path. */
    @FunctionalInterface
    public interface Change<T> {
        /** Returns what takes the place of {@code current}; null is no value. */
        @Nullable AttributeValue apply(T content, @Nullable AttributeValue current);
    }

    /**
     * Returns {@code item} with the value at each path changed. Attributes keep their places, new
     * ones come last in the order of the paths; elements set beyond the end of a list are appended
     * to it in the order of their indexes, and removed ones leave it once all are changed.
     *
     * @throws dev.tidemark.model.error.ApiException if a path leads through what is missing or
     *     neither map nor list
     */
    public Item change(Item item, Change<T> change) {
        Map<String, AttributeValue> next = new LinkedHashMap<>(item.attributes());
        for (Map.Entry<String, Node<T>> root : roots.entrySet()) {
            AttributeValue value = root.getValue().change(item.get(root.getKey()), change);
            if (value == null) {
                next.remove(root.getKey());
            } else {
                next.put(root.getKey(), value);
            }
        }
        return new Item(next);
    }

    private ApiException clash(String text, DocumentPath one, DocumentPath two) {
        return kind.invalid(text, one.shown(), two.shown());
    }

    private static final class Node<T> {

        /** The path that made this node, for error texts. */
        private final DocumentPath first;

        private @Nullable T content;
        private final Map<String, Node<T>> fields = new LinkedHashMap<>(4);
        private final Map<Integer, Node<T>> elements = new TreeMap<>();

        Node(DocumentPath first) {
            this.first = first;
        }

        @Nullable AttributeValue project(AttributeValue value) {
            if (content != null) {
                return value;
            }
            if (!fields.isEmpty()) {
                return value instanceof AttributeValue.M map ? projectFields(map) : null;
            }
            return value instanceof AttributeValue.L list ? projectElements(list) : null;
        }

        private @Nullable AttributeValue projectFields(AttributeValue.M map) {
            Map<String, AttributeValue> kept = new LinkedHashMap<>();
            for (Map.Entry<String, AttributeValue> entry : map.values().entrySet()) {
                Node<T> node = fields.get(entry.getKey());
                AttributeValue part = node == null ? null : node.project(entry.getValue());
                if (part != null) {
                    kept.put(entry.getKey(), part);
                }
            }
            return kept.isEmpty() ? null : new AttributeValue.M(kept);
        }

        private @Nullable AttributeValue projectElements(AttributeValue.L list) {
            List<AttributeValue> kept = new ArrayList<>();
            for (Map.Entry<Integer, Node<T>> entry : elements.entrySet()) {
                if (entry.getKey() < list.values().size()) {
                    AttributeValue part =
                            entry.getValue().project(list.values().get(entry.getKey()));
                    if (part != null) {
                        kept.add(part);
                    }
                }
            }
            return kept.isEmpty() ? null : new AttributeValue.L(kept);
        }

        @Nullable AttributeValue change(@Nullable AttributeValue current, Change<T> change) {
            if (content != null) {
                return change.apply(content, current);
            }
            if (!fields.isEmpty() && current instanceof AttributeValue.M map) {
                return changeFields(map, change);
            }
            if (!elements.isEmpty() && current instanceof AttributeValue.L list) {
                return changeElements(list, change);
            }
            throw ExpressionMessages.error(ExpressionMessages.INVALID_PATH);
        }

        private AttributeValue changeFields(AttributeValue.M map, Change<T> change) {
            Map<String, AttributeValue> next = new LinkedHashMap<>(map.values());
            for (Map.Entry<String, Node<T>> field : fields.entrySet()) {
                AttributeValue value =
                        field.getValue().change(map.values().get(field.getKey()), change);
                if (value == null) {
                    next.remove(field.getKey());
                } else {
                    next.put(field.getKey(), value);
                }
            }
            return new AttributeValue.M(next);
        }

        private AttributeValue changeElements(AttributeValue.L list, Change<T> change) {
            List<@Nullable AttributeValue> next = new ArrayList<>(list.values());
            int size = list.values().size();
            for (Map.Entry<Integer, Node<T>> element : elements.entrySet()) {
                int index = element.getKey();
                if (index < size) {
                    next.set(index, element.getValue().change(list.values().get(index), change));
                } else {
                    next.add(element.getValue().change(null, change));
                }
            }
            List<AttributeValue> left = new ArrayList<>(next.size());
            for (AttributeValue value : next) {
                if (value != null) {
                    left.add(value);
                }
            }
            return new AttributeValue.L(left);
        }
    }
}
