package dev.tidemark.expressions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * The words that need a placeholder to serve as an attribute name. Source: DynamoDB, reserved
 * words.
 */
final class ReservedWords {

    private static final Set<String> WORDS = load();

    private ReservedWords() {}

    /** Returns whether {@code name} is reserved, in whatever case. */
    static boolean contains(String name) {
        return WORDS.contains(name.toUpperCase(Locale.ROOT));
    }

    static int count() {
        return WORDS.size();
    }

    private static Set<String> load() {
        try (InputStream in = ReservedWords.class.getResourceAsStream("reserved-words.txt")) {
            if (in == null) {
                throw new IllegalStateException("The list of reserved words is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return Set.of(text.strip().split("\\s+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
