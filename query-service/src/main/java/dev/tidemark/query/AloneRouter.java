package dev.tidemark.query;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Takes every partition for its own: there is no other node. */
final class AloneRouter implements PartitionRouter {

    @Override
    public boolean isLocal(PartitionRef partition) {
        return true;
    }

    @Override
    public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
        return CompletableFuture.failedFuture(
                new ApiException(
                        ApiError.SERVICE_UNAVAILABLE, "No other node serves this partition."));
    }
}
