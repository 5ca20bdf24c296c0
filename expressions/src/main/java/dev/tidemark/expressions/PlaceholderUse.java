package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which placeholders of one request its expressions use. Used anywhere counts as used. Not
 * thread-safe.
 */
public final class PlaceholderUse {

    private final Placeholders placeholders;
    private final Set<String> names = new HashSet<>();
    private final Set<String> values = new HashSet<>();

    public PlaceholderUse(Placeholders placeholders) {
        this.placeholders = placeholders;
    }

    /**
     * Refuses placeholders that are none by their spelling, and a map that is given but empty.
     *
     * @param names ExpressionAttributeNames, if the request has them
     * @param values the placeholders of ExpressionAttributeValues, if the request has them
     * @throws dev.tidemark.model.error.ApiException if there is one
     */
    public static void requireWellFormed(
            Optional<? extends Collection<String>> names,
            Optional<? extends Collection<String>> values) {
        if (names.isPresent()) {
            requireKeys(
                    names.get(), '#', ExpressionMessages.NAMES_EMPTY, ExpressionMessages.NAME_KEY);
        }
        if (values.isPresent()) {
            requireKeys(
                    values.get(),
                    ':',
                    ExpressionMessages.VALUES_EMPTY,
                    ExpressionMessages.VALUE_KEY);
        }
    }

    /** Counts what {@code expression} uses. */
    public PlaceholderUse add(Expression expression) {
        names.addAll(expression.uses().names());
        values.addAll(expression.uses().values());
        return this;
    }

    /**
     * Refuses placeholders that no expression uses.
     *
     * @throws dev.tidemark.model.error.ApiException if there are any
     */
    public void requireAllUsed() {
        requireUsed(placeholders.names().keySet(), names, ExpressionMessages.NAMES_UNUSED);
        requireUsed(placeholders.values().keySet(), values, ExpressionMessages.VALUES_UNUSED);
    }

    private static void requireUsed(Set<String> defined, Set<String> used, String text) {
        List<String> unused = new ArrayList<>(0);
        for (String placeholder : defined) {
            if (!used.contains(placeholder)) {
                unused.add(placeholder);
            }
        }
        if (!unused.isEmpty()) {
            throw ExpressionMessages.error(text, ExpressionMessages.listed(unused));
        }
    }

    private static void requireKeys(
            Collection<String> keys, char mark, String emptyText, String keyText) {
        if (keys.isEmpty()) {
            throw ExpressionMessages.error(emptyText);
        }
        for (String key : keys) {
            if (!isPlaceholder(key, mark)) {
                throw ExpressionMessages.error(keyText, key);
            }
        }
    }

    private static boolean isPlaceholder(String key, char mark) {
        if (key.length() < 2 || key.charAt(0) != mark) {
            return false;
        }
        for (int at = 1; at < key.length(); at++) {
            char c = key.charAt(at);
            boolean word =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '_';
            if (!word) {
                return false;
            }
        }
        return true;
    }
}
