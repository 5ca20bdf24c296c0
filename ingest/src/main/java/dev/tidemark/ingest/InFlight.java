package dev.tidemark.ingest;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts writes under way and their bytes against bounds. Thread-safe; never blocks. */
final class InFlight {

    private final int maxCount;
    private final long maxBytes;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    InFlight(int maxCount, long maxBytes) {
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
    }

    /** Takes room for one write, or returns false if there is none. */
    boolean enter(int size) {
        if (count.incrementAndGet() > maxCount) {
            count.decrementAndGet();
            return false;
        }
        if (bytes.addAndGet(size) > maxBytes) {
            leave(size);
            return false;
        }
        return true;
    }

    void leave(int size) {
        count.decrementAndGet();
        bytes.addAndGet(-size);
    }

    int count() {
        return count.get();
    }
}
