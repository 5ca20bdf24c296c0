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

    /** What each core may take and leave requests most of their speed: measured on two of them. */
    private static final long CONSIDERATE = 1_000;

    /**
     * Parses {@code auto}, {@code unlimited} or a number.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    static BackfillRate parse(String text) {
        if (text.equals("auto")) {
            return new BackfillRate(
                    CONSIDERATE * Runtime.getRuntime().availableProcessors(), Long.MAX_VALUE);
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
