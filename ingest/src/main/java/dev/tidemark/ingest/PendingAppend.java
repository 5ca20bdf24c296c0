package dev.tidemark.ingest;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.write.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A write under way. It succeeds once both its outcome is known and the log has acknowledged it, in
 * whichever order they come; the first failure settles it. Thread-safe.
 */
final class PendingAppend {

    private final String topic;
    private final int partition;
    private final long startedNanos;
    private final CompletableFuture<WriteOutcome> result = new CompletableFuture<>();
    private @Nullable WriteOutcome outcome;
    private boolean acknowledged;

    PendingAppend(String topic, int partition, long startedNanos) {
        this.topic = topic;
        this.partition = partition;
        this.startedNanos = startedNanos;
    }

    CompletableFuture<WriteOutcome> result() {
        return result;
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    long startedNanos() {
        return startedNanos;
    }

    void decided(WriteOutcome decision) {
        boolean complete;
        synchronized (this) {
            outcome = decision;
            complete = acknowledged;
        }
        if (complete) {
            result.complete(decision);
        }
    }

    void acknowledge() {
        WriteOutcome decision;
        synchronized (this) {
            acknowledged = true;
            decision = outcome;
        }
        if (decision != null) {
            result.complete(decision);
        }
    }

    void fail(ApiException error) {
        result.completeExceptionally(error);
    }
}
