package dev.tidemark.query.routing;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;

/**
 * How the sequence of a table partition on other nodes grew, as far back as is useful. Thread-safe.
 */
final class BaseHistory {

    private static final int REMEMBERED = 256;

    /**
     * One observation.
     *
     * @param at the last time, in epoch milliseconds, at which this was known to be the sequence
     */
    private record Point(long sequence, long at) {}

    private final ArrayDeque<Point> points = new ArrayDeque<>();

    synchronized void add(NodeClaim.BaseClaim claim, long at) {
        // a partition that moved may begin a little earlier, and make the same changes again
        while (!points.isEmpty() && points.getLast().sequence() >= claim.sequence()) {
            points.removeLast();
        }
        points.addLast(new Point(claim.sequence(), at));
        if (points.size() > REMEMBERED) {
            points.removeFirst();
        }
    }

    synchronized long sequence() {
        return points.getLast().sequence();
    }

    /**
     * Returns the last time, in epoch milliseconds, at which the change with this sequence was
     * known not to have happened, or empty if that is forgotten.
     */
    synchronized Optional<Long> lastTimeBefore(long changeSequence) {
        Iterator<Point> newestFirst = points.descendingIterator();
        while (newestFirst.hasNext()) {
            Point point = newestFirst.next();
            if (point.sequence() < changeSequence) {
                return Optional.of(point.at());
            }
        }
        return Optional.empty();
    }
}
