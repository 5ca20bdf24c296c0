package dev.tidemark.query.table;

import java.time.Duration;
import java.util.Optional;

/**
 * How far an index is filled with what its table held when it was added.
 *
 * @param done how many of the changes that are to be applied are projected into the index
 * @param isFinished whether all are applied
 * @param total how many are to be applied; empty until that is known
 * @param perSecond how many are applied a second, of late or, once it is finished, on average
 * @param remaining how long it will take at that rate; empty while it rests or nothing can be said
 */
public record Backfill(
        long done,
        boolean isFinished,
        Optional<Long> total,
        double perSecond,
        Optional<Duration> remaining) {

    private static final double WHOLE = 100;
    private static final double ALMOST = 99.9;

    /** Returns how much is done, from 0 to 100; 100 only once it is finished. */
    public double percent() {
        if (isFinished) {
            return WHOLE;
        }
        if (total.isEmpty()) {
            return 0;
        }
        long all = total.get();
        return done >= all ? ALMOST : Math.min(ALMOST, Math.floor(done * WHOLE * 10 / all) / 10);
    }
}
