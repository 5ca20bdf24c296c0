package dev.tidemark.query.verify;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks for rows and positions, here or on other nodes, and waits for them: what fails and may
 * succeed later, because a partition moves or a node is busy, is asked again for a while. For
 * threads that may block; an interrupt ends it.
 */
final class RowReads {

    private static final Duration AT_MOST = Duration.ofSeconds(60);
    private static final Duration EACH = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 100;

    private final Services services;
    private final TableDefinition table;
    private final GlobalIndex index;

    /** Makes what reads of a table and one of its indexes, as long as both are there. */
    RowReads(Services services, TableDefinition table, GlobalIndex index) {
        this.services = services;
        this.table = table;
        this.index = index;
    }

    RowPage read(RowRequest request) {
        return await(
                () -> {
                    PartitionRouter router = services.router();
                    return router.isLocal(request.where())
                            ? request.on(services)
                            : router.forward(request.where(), ReadRowsOperation.request(request))
                                    .thenApply(reply -> RowPage.fromBytes(reply.toByteArray()));
                });
    }

    /** Waits for what is asked for; asks again for a while if need be. */
    <T> T await(Supplier<CompletionStage<T>> question) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (true) {
            RuntimeException failure;
            try {
                return ask(question);
            } catch (ApiException e) {
                if (!e.error().isRetryable()) {
                    throw e;
                }
                failure = e;
            } catch (RejectedExecutionException e) {
                failure = e;
            }
            if (!isThere()) {
                throw new IllegalStateException("The index is gone", failure);
            }
            if (System.nanoTime() > deadline) {
                throw failure;
            }
            pause(PAUSE_MILLIS);
        }
    }

    private boolean isThere() {
        return services.tables()
                .find(table.name())
                .filter(found -> found.id().equals(table.id()))
                .filter(
                        found ->
                                found.generations().stream()
                                        .anyMatch(
                                                each ->
                                                        each.name().equals(index.name())
                                                                && each.generation()
                                                                        == index.generation()))
                .isPresent();
    }

    private static <T> T ask(Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> answer = question.get().toCompletableFuture();
        try {
            return answer.get(EACH.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("An answer failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("An answer does not come", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The node stops", cause);
    }
}
