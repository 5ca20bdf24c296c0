package dev.tidemark.query.table;

import dev.tidemark.model.error.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a request's single values violate, collected, because DynamoDB reports all of it in one
 * message, at most ten. Paths are as DynamoDB writes them: {@code keySchema.1.member.keyType}.
 */
final class Constraints {

    private static final int MOST = 10;

    private final List<String> violations = new ArrayList<>();

    /** Fails if anything was violated. */
    void check() {
        if (violations.isEmpty()) {
            return;
        }
        List<String> told = violations.subList(0, Math.min(MOST, violations.size()));
        throw ApiException.validation(
                told.size()
                        + (told.size() == 1 ? " validation error" : " validation errors")
                        + " detected: "
                        + String.join("; ", told));
    }

    void required(String path, Optional<?> value) {
        if (value.isEmpty()) {
            violations.add(
                    "Value null at '"
                            + path
                            + "' failed to satisfy constraint: Member must not be null");
        }
    }

    void oneOf(String path, Optional<String> value, String... allowed) {
        value.filter(given -> !List.of(allowed).contains(given))
                .ifPresent(
                        given ->
                                violate(
                                        path,
                                        given,
                                        "Member must satisfy enum value set: ["
                                                + String.join(", ", allowed)
                                                + "]"));
    }

    void pattern(String path, Optional<String> value, Pattern pattern) {
        value.filter(given -> !pattern.matcher(given).matches())
                .ifPresent(
                        given ->
                                violate(
                                        path,
                                        given,
                                        "Member must satisfy regular expression pattern: "
                                                + pattern.pattern()));
    }

    void length(String path, Optional<String> value, int least, int most) {
        value.ifPresent(given -> bounded(path, given, given.length(), least, most));
    }

    /** Bounds the length in UTF-8, as the limits on attribute names count. */
    void utf8Length(String path, Optional<String> value, int least, int most) {
        value.ifPresent(
                given ->
                        bounded(
                                path,
                                given,
                                given.getBytes(StandardCharsets.UTF_8).length,
                                least,
                                most));
    }

    void size(String path, Collection<?> values, int least, int most) {
        bounded(path, values, values.size(), least, most);
    }

    void eachUtf8Length(String path, List<String> values, int least, int most) {
        if (values.stream()
                .map(value -> value.getBytes(StandardCharsets.UTF_8).length)
                .anyMatch(length -> length < least || length > most)) {
            violate(
                    path,
                    values,
                    "Member must satisfy constraint: [Member must have length less than or equal"
                            + " to "
                            + most
                            + ", Member must have length greater than or equal to "
                            + least
                            + "]");
        }
    }

    void range(String path, Optional<? extends Number> value, long least, long most) {
        value.filter(given -> given.longValue() < least)
                .ifPresent(
                        given ->
                                violate(
                                        path,
                                        given,
                                        "Member must have value greater than or equal to "
                                                + least));
        value.filter(given -> given.longValue() > most)
                .ifPresent(
                        given ->
                                violate(
                                        path,
                                        given,
                                        "Member must have value less than or equal to " + most));
    }

    private void bounded(String path, Object value, int length, int least, int most) {
        if (length < least) {
            violate(path, value, "Member must have length greater than or equal to " + least);
        }
        if (length > most) {
            violate(path, value, "Member must have length less than or equal to " + most);
        }
    }

    private void violate(String path, Object value, String constraint) {
        violations.add(
                "Value '"
                        + value
                        + "' at '"
                        + path
                        + "' failed to satisfy constraint: "
                        + constraint);
    }
}
