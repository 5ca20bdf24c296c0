package dev.tidemark.model.table;

import java.util.regex.Pattern;

/**
 * The name of an index, unique within its table, as callers write it: 3 to 255 characters of {@code
 * a-zA-Z0-9_.-}.
 */
public record IndexName(String value) implements Comparable<IndexName> {

    private static final Pattern VALID = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    public IndexName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("Invalid index name: " + value);
        }
    }

    public static boolean isValid(String value) {
        return VALID.matcher(value).matches();
    }

    @Override
    public int compareTo(IndexName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
