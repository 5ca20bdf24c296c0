package dev.tidemark.ingest;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Knows for which topics the producer has metadata at hand, so that sending to them does not block,
 * and fetches it for the others on threads of its own. Thread-safe.
 */
final class WarmTopics implements AutoCloseable {

    /* The producer forgets a topic it has not been used for in 5 minutes (metadata.max.idle.ms). */
    private static final long WARM_NANOS = Duration.ofMinutes(2).toNanos();

    private final Producer<byte[], byte[]> producer;
    private final long patienceNanos;
    private final LongSupplier nanoTime;
    private final Map<String, Long> lastUse = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> warming = new ConcurrentHashMap<>();
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    2,
                    task -> {
                        Thread thread = new Thread(task, "tidemark-ingest-metadata");
                        thread.setDaemon(true);
                        return thread;
                    });

    WarmTopics(Producer<byte[], byte[]> producer, Duration patience, LongSupplier nanoTime) {
        this.producer = producer;
        this.patienceNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Returns whether a record may be sent to {@code topic} now without blocking. */
    boolean isWarm(String topic) {
        long now = nanoTime.getAsLong();
        Long last = lastUse.get(topic);
        if (last == null || now - last > WARM_NANOS) {
            return false;
        }
        if (now - last > WARM_NANOS / 8) {
            lastUse.put(topic, now);
        }
        return true;
    }

    /**
     * Returns a future that completes, on a thread that may be blocked a little, once the producer
     * has the topic's metadata. Those who ask meanwhile share one attempt.
     */
    CompletableFuture<Void> warm(String topic) {
        if (isWarm(topic)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> other = warming.putIfAbsent(topic, mine);
        if (other != null) {
            return other;
        }
        try {
            threads.execute(() -> fetch(topic, mine));
        } catch (RejectedExecutionException e) {
            warming.remove(topic, mine);
            mine.completeExceptionally(unavailable());
        }
        return mine;
    }

    /** Forgets a topic that is no more. */
    void forget(String topic) {
        lastUse.remove(topic);
    }

    /** Ends the threads; whoever waits is told that it failed. */
    @Override
    public void close() {
        threads.shutdownNow();
        List<CompletableFuture<Void>> left = new ArrayList<>(warming.values());
        left.forEach(future -> future.completeExceptionally(unavailable()));
    }

    private void fetch(String topic, CompletableFuture<Void> done) {
        ApiException failure = null;
        long deadline = nanoTime.getAsLong() + patienceNanos;
        for (boolean again = true; again; ) {
            again = false;
            try {
                producer.partitionsFor(topic);
                lastUse.put(topic, nanoTime.getAsLong());
            } catch (RetriableException e) {
                again = nanoTime.getAsLong() < deadline && !threads.isShutdown();
                failure = again ? null : unavailable();
            } catch (KafkaException | IllegalStateException e) {
                failure = unavailable();
            }
        }
        warming.remove(topic, done);
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure);
        }
    }

    private static ApiException unavailable() {
        return new ApiException(
                ApiError.SERVICE_UNAVAILABLE,
                "The write was not made: the log can't be reached. Please try again.");
    }
}
