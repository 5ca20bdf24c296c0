package dev.tidemark.query.http;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The headers of a request, by name in any case. */
@FunctionalInterface
public interface Headers {

    Headers NONE = name -> Optional.empty();

    /** Returns the value of a header; of a repeated one, the first. */
    Optional<String> first(String name);

    /** Returns headers with these values. */
    static Headers of(Map<String, String> values) {
        Map<String, String> byName = new TreeMap<>();
        values.forEach((name, value) -> byName.put(name.toLowerCase(Locale.ROOT), value));
        return name -> Optional.ofNullable(byName.get(name.toLowerCase(Locale.ROOT)));
    }
}
