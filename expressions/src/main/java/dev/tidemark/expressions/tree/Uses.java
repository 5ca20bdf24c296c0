package dev.tidemark.expressions.tree;

import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an expression refers to, in the order of its text. Filled once, while the expression is
 * read; not thread-safe until then.
 */
public final class Uses {

    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> values = new LinkedHashSet<>();
    private final List<DocumentPath> paths = new ArrayList<>();

    /** Returns the uses of an expression that is a list of paths. */
    public static Uses of(List<DocumentPath> paths) {
        Uses uses = new Uses();
        paths.forEach(uses::path);
        return uses;
    }

    void path(DocumentPath path) {
        paths.add(path);
        for (PathElement element : path.elements()) {
            if (element instanceof PathElement.Alias alias) {
                names.add(alias.placeholder());
            }
        }
    }

    void value(String placeholder) {
        values.add(placeholder);
    }

    /** Returns the placeholders of names, each with its {@code #}. */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    /** Returns the placeholders of values, each with its {@code :}. */
    public Set<String> values() {
        return Collections.unmodifiableSet(values);
    }

    /** Returns the names of the attributes that paths begin with; placeholders must be defined. */
    public Set<String> attributes(Placeholders placeholders) {
        Set<String> attributes = new LinkedHashSet<>();
        for (DocumentPath path : paths) {
            attributes.add(path.attribute(placeholders));
        }
        return attributes;
    }

    /** Returns all paths as written. */
    public List<DocumentPath> paths() {
        return Collections.unmodifiableList(paths);
    }

    /** Refuses placeholders that lack a definition. */
    public void requireDefined(ExpressionKind kind, Placeholders placeholders) {
        for (String name : names) {
            if (!placeholders.names().containsKey(name)) {
                throw kind.invalid(ExpressionMessages.UNDEFINED_NAME, name);
            }
        }
        for (String value : values) {
            if (!placeholders.values().containsKey(value)) {
                throw kind.invalid(ExpressionMessages.UNDEFINED_VALUE, value);
            }
        }
    }
}
