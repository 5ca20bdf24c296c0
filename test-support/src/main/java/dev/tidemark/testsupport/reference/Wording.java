package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * How the expressions of one request are worded: the placeholders they use, and what is left to
 * taste. Not thread-safe.
 */
public final class Wording {

    /** So short that none is a reserved word, as long as tests name no attribute so. */
    private static final Pattern PLAIN = Pattern.compile("[a-z]{1,2}[0-9]?");

    private final Random random;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, AttributeValue> values = new LinkedHashMap<>();

    public Wording(Random random) {
        this.random = random;
    }

    /** Returns what stands for an attribute's name. */
    public String name(String attribute) {
        if (PLAIN.matcher(attribute).matches() && random.nextInt(3) > 0) {
            return attribute;
        }
        for (Map.Entry<String, String> known : names.entrySet()) {
            if (known.getValue().equals(attribute)) {
                return known.getKey();
            }
        }
        String placeholder = "#n" + names.size();
        names.put(placeholder, attribute);
        return placeholder;
    }

    /** Returns what stands for a constant. */
    public String value(AttributeValue value) {
        String placeholder = ":v" + values.size();
        values.put(placeholder, value);
        return placeholder;
    }

    /** Returns a word whose case does not matter. */
    public String keyword(String word) {
        return random.nextInt(4) == 0 ? word.toLowerCase(Locale.ROOT) : word;
    }

    /** Returns nothing or a blank. */
    public String gap() {
        return random.nextInt(3) == 0 ? "" : " ";
    }

    /** Returns the names that placeholders stand for. */
    public Map<String, String> names() {
        return Collections.unmodifiableMap(names);
    }

    /** Returns the values that placeholders stand for. */
    public Map<String, AttributeValue> values() {
        return Collections.unmodifiableMap(values);
    }
}
