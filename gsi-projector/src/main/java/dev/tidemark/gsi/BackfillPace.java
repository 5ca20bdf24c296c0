package dev.tidemark.gsi;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

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

    private final LongSupplier nanos;
    private final LongConsumer park;
    private volatile long perSecond = UNLIMITED;

    /** When the next change is due, by the clock. */
    private long due;

    /** Makes a pace without limit. */
    public BackfillPace() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * Makes a pace without limit by another clock.
     *
     * @param nanos tells the time
     * @param park waits for so many nanoseconds at most
     */
    BackfillPace(LongSupplier nanos, LongConsumer park) {
        this.nanos = nanos;
        this.park = park;
        this.due = nanos.getAsLong();
    }

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
        due = Math.max(due, nanos.getAsLong() - BURST_NANOS) + SECOND / limit;
        for (long wait = due - nanos.getAsLong();
                wait > SHORTEST_WAIT_NANOS
                        && perSecond == limit
                        && !Thread.currentThread().isInterrupted();
                wait = due - nanos.getAsLong()) {
            park.accept(Math.min(wait, LONGEST_WAIT_NANOS));
        }
    }
}
