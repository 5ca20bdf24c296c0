package dev.tidemark.query.verify;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Holds back who reads more rows a second than may be read. For one thread; counts for all. */
final class ReadPace {

    private final LongSupplier rowsPerSecond;
    private final AtomicLong rows = new AtomicLong();
    private long free = System.nanoTime();

    /** Makes a pace; how many rows a second may be read is asked each time. */
    ReadPace(LongSupplier rowsPerSecond) {
        this.rowsPerSecond = rowsPerSecond;
    }

    /** Takes note of rows read, and waits as long as they would have taken. */
    void read(int count) {
        rows.addAndGet(count);
        long now = System.nanoTime();
        long takes = TimeUnit.SECONDS.toNanos(1) * count / Math.max(1, rowsPerSecond.getAsLong());
        free = Math.max(free, now - TimeUnit.SECONDS.toNanos(1)) + takes;
        long early = TimeUnit.NANOSECONDS.toMillis(free - now);
        if (early > 0) {
            RowReads.pause(early);
        }
    }

    long rows() {
        return rows.get();
    }
}
