package dev.tidemark.model.table;

import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Tells a table from every other that has or had its name: 8 lower-case letters and digits, made at
 * creation.
 */
public record TableId(String value) {

    private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final Pattern VALID = Pattern.compile("[a-z0-9]{8}");

    public TableId {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException("Invalid table id: " + value);
        }
    }

    /** Returns a new id. */
    public static TableId random(RandomGenerator random) {
        StringBuilder id = new StringBuilder(8);
        for (int at = 0; at < 8; at++) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new TableId(id.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
