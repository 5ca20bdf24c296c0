package dev.tidemark.query.http;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which requests do what may block or takes long. Bounded: when it is full, {@link
 * #execute} throws {@link java.util.concurrent.RejectedExecutionException}, which a front end
 * answers with a retryable error.
 */
public final class WorkerPool implements Executor, AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final ThreadPoolExecutor threads;

    /**
     * Starts a pool.
     *
     * @param size the number of threads
     * @param waiting how many tasks may wait for a thread
     */
    public WorkerPool(int size, int waiting) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory =
                task -> {
                    Thread thread = new Thread(task, "query-worker-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                };
        this.threads =
                new ThreadPoolExecutor(
                        size,
                        size,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(waiting),
                        factory);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Lets what is under way finish, within bounds, and takes no more. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
