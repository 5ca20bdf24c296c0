package dev.tidemark.launcher.config;

import java.util.regex.Pattern;

/**
 * How much of some work beside requests this node does in a second at most.
 *
 * @param whileServing while requests for items are answered
 * @param otherwise while none come
 */
public record WorkRate(long whileServing, long otherwise) {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,11}");

    /**
     * Parses {@code auto}, {@code unlimited} or a number.
     *
     * @param considerate what each core may do beside requests if it is {@code auto}
     * @throws IllegalArgumentException if it is none of them
     */
    static WorkRate parse(String text, long considerate) {
        if (text.equals("auto")) {
            return new WorkRate(
                    considerate * Runtime.getRuntime().availableProcessors(), Long.MAX_VALUE);
        }
        if (text.equals("unlimited")) {
            return new WorkRate(Long.MAX_VALUE, Long.MAX_VALUE);
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("not auto, unlimited or a positive number");
        }
        long rate = Long.parseLong(text);
        return new WorkRate(rate, rate);
    }

    /** Returns the rate of now. */
    public long now(boolean isServing) {
        return isServing ? whileServing : otherwise;
    }
}
