package dev.tidemark.query;

import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import java.util.concurrent.CompletionStage;

/**
 * Knows which node serves a partition, and sends requests there. Thread-safe; never blocks.
 *
 * <p>Operations ask for every partition they need. A request that needs one partition only is sent
 * on whole, as it came, under its own operation name (PutItem, GetItem, UpdateItem, DeleteItem,
 * Query). One that needs several is split by the node that received it: BatchWriteItem and
 * BatchGetItem into requests for PutItem, DeleteItem and GetItem, Scan into requests for the
 * internal operation {@code Tidemark.ScanPartition}, whose reply is no JSON but is passed through
 * like any other.
 *
 * <p>A router marks what it sends with the header {@value #FORWARDED}; a request that carries it is
 * answered where it arrives, or refused with a retryable error, and never sent on again.
 */
public interface PartitionRouter {

    /** The header of requests that come from another node; its value is that node's id. */
    String FORWARDED = "x-tidemark-forwarded-by";

    /**
     * The header that says which generation of a global index is read, so that all nodes that
     * answer parts of one request read the same. Without it, it is the one that serves.
     */
    String GENERATION = "x-tidemark-generation";

    /** Returns whether this node serves the partition, or at least no other is known to. */
    boolean isLocal(PartitionRef partition);

    /**
     * Sends {@code request} to the node that serves the partition and returns its reply, headers
     * that begin with {@code x-tidemark-} included.
     *
     * <p>The stage fails with the {@link dev.tidemark.model.error.ApiException} the other node
     * answered with, or a retryable one if no answer came.
     */
    CompletionStage<Reply> forward(PartitionRef partition, Request request);

    /** Returns the router of a node that has no others beside it. */
    static PartitionRouter alone() {
        return new AloneRouter();
    }
}
