package dev.tidemark.query;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Utf8;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Collects what is wrong with single parameters, to be reported together: {@code N validation
 * error(s) detected: ...}. Not thread-safe.
 */
public final class Constraints {

    private static final int MOST_REPORTED = 10;
    private static final String NAME_PATTERN = "[a-zA-Z0-9_.-]+";
    private static final Pattern NAME = Pattern.compile(NAME_PATTERN);
    private static final int LEAST_NAME = 3;
    private static final int MOST_NAME = 255;
    private static final String TABLE_ARN = ":table/";

    private final List<String> errors = new ArrayList<>(0);

    /**
     * Checks the name of a table and returns it; of an ARN, the name in it. A wrong one is reported
     * alone, before everything else.
     */
    public static String tableName(Optional<String> given) {
        Constraints alone = new Constraints();
        alone.required("tableName", given);
        alone.check();
        String name = nameIn(given.orElseThrow());
        // an empty name is told another limit than a short one
        alone.name("tableName", name, name.isEmpty() ? 1 : LEAST_NAME);
        alone.check();
        return name;
    }

    /** Reports a parameter that must be there and is not. */
    public Constraints required(String path, Optional<?> given) {
        if (given.isEmpty()) {
            errors.add(
                    "Value null at '"
                            + path
                            + "' failed to satisfy constraint: Member must not be null");
        }
        return this;
    }

    /** Reports a value that is none of {@code allowed}. */
    public Constraints oneOf(String path, Optional<String> given, List<String> allowed) {
        given.filter(value -> !allowed.contains(value))
                .ifPresent(
                        value ->
                                add(
                                        path,
                                        value,
                                        "Member must satisfy enum value set: ["
                                                + String.join(", ", allowed)
                                                + "]"));
        return this;
    }

    /** Reports the name of an index that can be none. */
    public Constraints indexName(Optional<String> given) {
        given.ifPresent(value -> name("indexName", value, LEAST_NAME));
        return this;
    }

    /** Reports a text that does not match. */
    public Constraints pattern(String path, Optional<String> given, Pattern pattern) {
        given.filter(value -> !pattern.matcher(value).matches())
                .ifPresent(
                        value ->
                                add(
                                        path,
                                        value,
                                        "Member must satisfy regular expression pattern: "
                                                + pattern.pattern()));
        return this;
    }

    /** Reports a number outside {@code low} to {@code high}. */
    public Constraints between(String path, Optional<? extends Number> given, long low, long high) {
        given.ifPresent(value -> bounded(path, value, "value", value.longValue(), low, high));
        return this;
    }

    /** Reports a text whose number of characters is outside {@code low} to {@code high}. */
    public Constraints length(String path, Optional<String> given, int low, int high) {
        given.ifPresent(value -> size(path, value, value.length(), low, high));
        return this;
    }

    /** Reports a text whose number of bytes in UTF-8 is outside {@code low} to {@code high}. */
    public Constraints utf8Length(String path, Optional<String> given, int low, int high) {
        given.ifPresent(value -> size(path, value, Utf8.length(value), low, high));
        return this;
    }

    /**
     * Reports texts of which one's number of bytes in UTF-8 is outside {@code low} to {@code high}.
     */
    public Constraints eachUtf8Length(String path, List<String> values, int low, int high) {
        if (values.stream().map(Utf8::length).anyMatch(length -> length < low || length > high)) {
            add(
                    path,
                    values,
                    "Member must satisfy constraint: [Member must have length less than or equal"
                            + " to "
                            + high
                            + ", Member must have length greater than or equal to "
                            + low
                            + "]");
        }
        return this;
    }

    /** Reports something whose number of members is outside {@code low} to {@code high}. */
    public Constraints size(String path, Object shown, int size, int low, int high) {
        bounded(path, shown, "length", size, low, high);
        return this;
    }

    /** Reports a map by table, once, if one of its keys can be no table's name. */
    public Constraints tableKeys(String path, Collection<String> keys) {
        keys.stream()
                .filter(key -> !isTableName(nameIn(key)))
                .findFirst()
                .ifPresent(
                        key ->
                                add(
                                        path,
                                        "{" + key + "=...}",
                                        "Map keys must satisfy constraint: [Member must have length"
                                                + " less than or equal to "
                                                + MOST_NAME
                                                + ", Member must have length greater than or equal"
                                                + " to "
                                                + LEAST_NAME
                                                + ", Member must satisfy regular expression"
                                                + " pattern: "
                                                + NAME_PATTERN
                                                + "]"));
        return this;
    }

    /** Reports a map from names to lists, of which one has not {@code low} to {@code high}. */
    public Constraints listSizes(String path, Map<String, ? extends List<?>> lists, int high) {
        lists.entrySet().stream()
                .filter(list -> list.getValue().isEmpty() || list.getValue().size() > high)
                .findFirst()
                .ifPresent(
                        list ->
                                add(
                                        path,
                                        "{"
                                                + list.getKey()
                                                + (list.getValue().isEmpty() ? "=[]}" : "=[...]}"),
                                        "Map value must satisfy constraint: [Member must have"
                                                + " length less than or equal to "
                                                + high
                                                + ", Member must have length greater than or equal"
                                                + " to 1]"));
        return this;
    }

    /** Reports one more constraint that is not met, in its own words. */
    public Constraints report(String text) {
        errors.add(text);
        return this;
    }

    /**
     * Ends the checks.
     *
     * @throws ApiException a ValidationException if anything was reported
     */
    public void check() {
        if (!errors.isEmpty()) {
            List<String> reported = errors.subList(0, Math.min(MOST_REPORTED, errors.size()));
            throw ApiException.validation(
                    reported.size()
                            + " validation error"
                            + (reported.size() > 1 ? "s" : "")
                            + " detected: "
                            + String.join("; ", reported));
        }
    }

    /** Returns the name of a table; of an ARN, the name in it. */
    private static String nameIn(String nameOrArn) {
        return nameOrArn.startsWith("arn:") && nameOrArn.contains(TABLE_ARN)
                ? nameOrArn.substring(nameOrArn.indexOf(TABLE_ARN) + TABLE_ARN.length())
                : nameOrArn;
    }

    private static boolean isTableName(String name) {
        return name.length() >= LEAST_NAME
                && name.length() <= MOST_NAME
                && NAME.matcher(name).matches();
    }

    private void name(String path, String value, int least) {
        if (!value.isEmpty() && !NAME.matcher(value).matches()) {
            add(path, value, "Member must satisfy regular expression pattern: " + NAME_PATTERN);
        }
        size(path, value, value.length(), least, MOST_NAME);
    }

    private void bounded(
            String path, Object shown, String what, long measure, long low, long high) {
        if (measure < low) {
            add(path, shown, "Member must have " + what + " greater than or equal to " + low);
        } else if (measure > high) {
            add(path, shown, "Member must have " + what + " less than or equal to " + high);
        }
    }

    private void add(String path, Object value, String constraint) {
        errors.add(
                "Value '"
                        + value
                        + "' at '"
                        + path
                        + "' failed to satisfy constraint: "
                        + constraint);
    }
}
