package dev.tidemark.kafka.embedded;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import kafka.server.FaultHandlerFactory;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first reason, if any, for which one broker can't go on. */
final class FatalFaults implements FaultHandlerFactory {

    private static final Logger LOGGER = LoggerFactory.getLogger(FatalFaults.class);
    // Listeners close the broker, which waits for the very thread that reports: they get their own.
    private static final Executor LISTENERS =
            task -> {
                Thread thread = new Thread(task, "embedded-kafka-fatal");
                thread.setDaemon(true);
                thread.start();
            };

    private final CompletableFuture<String> first = new CompletableFuture<>();

    void report(String reason) {
        first.complete(reason);
    }

    /** Completes with the reason of the first fatal fault. */
    CompletableFuture<String> first() {
        return first;
    }

    void listen(Consumer<String> listener) {
        CompletableFuture<Void> unused =
                first.thenAcceptAsync(listener, LISTENERS)
                        .whenComplete((done, failure) -> logFailure(failure));
    }

    private static void logFailure(@Nullable Throwable failure) {
        if (failure != null) {
            LOGGER.atError().setCause(failure).log("a listener to the broker's end failed");
        }
    }

    @Override
    public FaultHandler build(String name, boolean fatal, Runnable action) {
        return (message, cause) -> handle(name, fatal, action, message, cause);
    }

    private RuntimeException handle(
            String name,
            boolean fatal,
            Runnable action,
            String message,
            @Nullable Throwable cause) {
        LOGGER.atError()
                .addKeyValue("part", name)
                .addKeyValue("fatal", fatal)
                .setCause(cause)
                .log("the embedded broker met a fault");
        action.run();
        if (fatal) {
            report(cause == null ? message : message + ": " + cause);
        }
        return cause == null
                ? new FaultHandlerException(name + ": " + message)
                : new FaultHandlerException(
                        name + ": " + message + ": " + cause.getMessage(), cause);
    }
}
