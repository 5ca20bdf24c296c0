package dev.tidemark.base;

import dev.tidemark.wire.registry.RegistryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows when a stream thread dies. What the world around may mend (brokers,
 * registry, topics not yet known) is tried again with a new thread, though not without end;
 * anything else is a broken promise of ours, and to try again would only break it again.
 */
final class FailurePolicy {

    private static final int MOST_REPLACED = 10;
    private static final Duration WITHIN = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Deque<Instant> replaced = new ArrayDeque<>();

    FailurePolicy(InstantSource clock) {
        this.clock = clock;
    }

    synchronized StreamThreadExceptionResponse responseTo(Throwable failure) {
        if (!mayMend(failure)) {
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        Instant now = clock.instant();
        replaced.removeIf(when -> when.isBefore(now.minus(WITHIN)));
        if (replaced.size() >= MOST_REPLACED) {
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        replaced.add(now);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private static boolean mayMend(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RetriableException
                    || cause instanceof RegistryException
                    // no broker is alive at the moment that could take a new topic
                    || cause instanceof InvalidReplicationFactorException
                    || cause instanceof MissingSourceTopicException) {
                return true;
            }
        }
        return false;
    }
}
