package dev.tidemark.gsi;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How fast the app of an index takes changes while the index is built. It holds back one thread,
 * the app's; any thread may set another pace, which counts within some hundredths of a second.
 */
public final class BackfillPace {

    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What is saved up while no changes come. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Shorter waits are put off until they add up. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private volatile long perSecond = UNLIMITED;

    /** When the next change is due, by the clock of {@link System#nanoTime}. */
    private long due = System.nanoTime();

    /**
     * Sets the most changes a second.
     *
     * @param changesPerSecond at least 1, or {@link #UNLIMITED}
     */
    public void limit(long changesPerSecond) {
        if (changesPerSecond < 1) {
            throw new IllegalArgumentException("Invalid pace: not positive");
        }
        perSecond = changesPerSecond;
    }

    /** Returns the most changes a second. */
    public long limit() {
        return perSecond;
    }

    /** Waits until one more change may be taken. Returns early if its thread is interrupted. */
    void take() {
        long limit = perSecond;
        if (limit == UNLIMITED) {
            return;
        }
        due = Math.max(due, System.nanoTime() - BURST_NANOS) + SECOND / limit;
        for (long wait = due - System.nanoTime();
                wait > SHORTEST_WAIT_NANOS
                        && perSecond == limit
                        && !Thread.currentThread().isInterrupted();
                wait = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(wait, LONGEST_WAIT_NANOS));
        }
    }
}
