package dev.tidemark.model.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * A number that only grows, and that others can wait on. Thread-safe; advancing costs little while
 * nobody waits.
 *
 * <p>Waiters complete on the thread that advances, so what depends on them must not block.
 */
public final class Watermark {

    private record Waiter(long target, CompletableFuture<Long> future) {}

    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>((left, right) -> Long.compare(left.target(), right.target()));
    private volatile long value;
    private volatile boolean waiting;
    private boolean closed;

    public Watermark(long value) {
        this.value = value;
    }

    public long value() {
        return value;
    }

    /** Raises the value to {@code next}; a lower one is ignored. Called by one thread at a time. */
    public void advance(long next) {
        if (next > value) {
            value = next;
        }
        if (waiting) {
            release();
        }
    }

    /**
     * Returns a future that completes with the value once it is at least {@code target}. It fails
     * with {@link PartitionMovedException} if the watermark closes first.
     */
    public CompletableFuture<Long> reaches(long target) {
        long now = value;
        if (now >= target) {
            return CompletableFuture.completedFuture(now);
        }
        CompletableFuture<Long> future = new CompletableFuture<>();
        synchronized (waiters) {
            if (closed) {
                return CompletableFuture.failedFuture(new PartitionMovedException());
            }
            waiters.removeIf(waiter -> waiter.future().isDone());
            waiters.add(new Waiter(target, future));
            waiting = true;
        }
        // the value may have passed the target before the waiter was seen
        release();
        return future;
    }

    /** Fails all who wait, now and later; the value stays readable. */
    public void close() {
        List<Waiter> left;
        synchronized (waiters) {
            closed = true;
            left = new ArrayList<>(waiters);
            waiters.clear();
            waiting = false;
        }
        left.forEach(
                waiter -> waiter.future().completeExceptionally(new PartitionMovedException()));
    }

    private void release() {
        List<Waiter> reached = new ArrayList<>();
        long now;
        synchronized (waiters) {
            now = value;
            while (!waiters.isEmpty() && waiters.element().target() <= now) {
                reached.add(waiters.remove());
            }
            waiting = !waiters.isEmpty();
        }
        reached.forEach(waiter -> waiter.future().complete(now));
    }
}
