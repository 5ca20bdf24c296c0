package dev.tidemark.expressions;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Keeps what was read from the texts used lately. Bounded: once the young generation is full it
 * becomes the old one and what the old one held is forgotten; a text found in the old one moves up.
 * Thread-safe; a lookup takes no lock.
 */
final class ParsedCache<T> {

    private static final int GENERATION = 512;

    /** Longer texts are rare, and seldom come again. */
    private static final int LONGEST_KEPT = 8_192;

    private volatile ConcurrentHashMap<String, T> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, T> old = new ConcurrentHashMap<>();

    /** Returns what {@code parse} makes of {@code text}; failures are not kept. */
    T get(String text, Function<String, T> parse) {
        if (text.length() > LONGEST_KEPT) {
            return parse.apply(text);
        }
        T parsed = young.get(text);
        if (parsed != null) {
            return parsed;
        }
        parsed = old.get(text);
        if (parsed == null) {
            parsed = parse.apply(text);
        }
        keep(text, parsed);
        return parsed;
    }

    private synchronized void keep(String text, T parsed) {
        if (young.size() >= GENERATION) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(text, parsed);
    }
}
