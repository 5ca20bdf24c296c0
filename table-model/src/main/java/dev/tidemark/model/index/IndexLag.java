package dev.tidemark.model.index;

import java.time.Duration;

/**
 * How far an index trails its table.
 *
 * @param changes how many changes of the table it has not applied
 * @param age how long ago the oldest of them happened; zero if there is none
 */
public record IndexLag(long changes, Duration age) {

    public static final IndexLag NONE = new IndexLag(0, Duration.ZERO);

    public IndexLag {
        if (changes < 0 || age.isNegative()) {
            throw new IllegalArgumentException("Invalid index lag: negative");
        }
    }

    /** Returns the lag of an index whose parts lag by this and {@code other}. */
    public IndexLag plus(IndexLag other) {
        return new IndexLag(
                changes + other.changes, age.compareTo(other.age) >= 0 ? age : other.age);
    }

    public boolean isWithin(Duration bound) {
        return age.compareTo(bound) <= 0;
    }
}
