package dev.tidemark.launcher.config;

import java.util.regex.Pattern;

/**
 * How many changes a second this node takes at most to fill an index that is added.
 *
 * @param whileServing while requests for items are answered
 * @param otherwise while none come
 */
public record BackfillRate(long whileServing, long otherwise) {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,11}");

    /** What leaves the requests of a small machine most of their speed. */
    private static final long CONSIDERATE = 2_000;

    /**
     * Parses {@code auto}, {@code unlimited} or a number.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    static BackfillRate parse(String text) {
        if (text.equals("auto")) {
            return new BackfillRate(CONSIDERATE, Long.MAX_VALUE);
        }
        if (text.equals("unlimited")) {
            return new BackfillRate(Long.MAX_VALUE, Long.MAX_VALUE);
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("not auto, unlimited or a positive number");
        }
        long rate = Long.parseLong(text);
        return new BackfillRate(rate, rate);
    }
}
