package dev.tidemark.model.rules;

import dev.tidemark.model.item.Utf8;
import java.util.Optional;

/** What the name of any attribute must satisfy, wherever a request names one. */
public final class NameRule {

    /** The most bytes of an attribute's name. Source: DynamoDB limits ("less than 64 KB"). */
    private static final int MAX_SIZE = 65_535;

    private NameRule() {}

    /** Returns what the caller is told if {@code name} can be the name of no attribute. */
    public static Optional<String> violation(String name) {
        if (name.isEmpty()) {
            return Optional.of(RuleTexts.EMPTY_NAME);
        }
        return name.length() > MAX_SIZE / 3 && Utf8.length(name) > MAX_SIZE
                ? Optional.of(RuleTexts.NAME_TOO_LONG)
                : Optional.empty();
    }
}
