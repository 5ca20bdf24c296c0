package dev.tidemark.query.pressure;

import dev.tidemark.model.index.IndexLag;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far an index may trail its table, and what happens beyond.
 *
 * @param changes the most changes; empty for any number
 * @param age the greatest age; empty for any
 * @param throttles whether writes are held back beyond it; else the index only counts as late
 */
public record LagBound(OptionalLong changes, Optional<Duration> age, boolean throttles) {

    private static final String OFF = "off";
    private static final String CHANGES = "([1-9][0-9]{0,11})";
    private static final String AGE = "([1-9][0-9]{0,8})(ms|s|m)";
    private static final Pattern TEXT = Pattern.compile(CHANGES + "(?:/" + AGE + ")?|" + AGE);

    /**
     * Returns the bound that the value of a tag gives: {@code 10000} changes, {@code 30s}, both as
     * {@code 10000/30s}, or {@code off}: that of the node, without throttling. Empty if it is none
     * of these.
     *
     * @param ofNode the bound of indexes without a tag
     */
    public static Optional<LagBound> parse(String text, LagBound ofNode) {
        if (text.equals(OFF)) {
            return Optional.of(new LagBound(ofNode.changes(), ofNode.age(), false));
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Optional<Duration> age =
                duration(matcher.group(2), matcher.group(3))
                        .or(() -> duration(matcher.group(4), matcher.group(5)));
        return Optional.of(
                new LagBound(
                        matcher.group(1) == null
                                ? OptionalLong.empty()
                                : OptionalLong.of(Long.parseLong(matcher.group(1))),
                        age,
                        true));
    }

    /** Returns whether an index that trails its table so far is beyond the bound. */
    public boolean isExceededBy(IndexLag lag) {
        return (changes.isPresent() && lag.changes() > changes.getAsLong())
                || (age.isPresent() && !lag.isWithin(age.get()));
    }

    private static Optional<Duration> duration(@Nullable String amount, @Nullable String unit) {
        if (amount == null || unit == null) {
            return Optional.empty();
        }
        long number = Long.parseLong(amount);
        return Optional.of(
                switch (unit) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                });
    }
}
