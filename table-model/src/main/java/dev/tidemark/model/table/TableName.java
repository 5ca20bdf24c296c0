package dev.tidemark.model.table;

import java.util.regex.Pattern;

/** The name of a table, as callers write it: 3 to 255 characters of {@code a-zA-Z0-9_.-}. */
public record TableName(String value) implements Comparable<TableName> {

    private static final Pattern VALID = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    public TableName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("Invalid table name: " + value);
        }
    }

    public static boolean isValid(String value) {
        return VALID.matcher(value).matches();
    }

    @Override
    public int compareTo(TableName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
