package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.TableLookup;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds where a table is now: the last change of each of its partitions, no acknowledged write left
 * out. Partitions of other nodes are asked for there. Thread-safe; never blocks.
 */
public final class CurrentPositions {

    /** What nodes ask one another, whole: it is no operation of DynamoDB's API. */
    public static final String OPERATION = "Tidemark.CurrentPosition";

    private final PartitionRouter router;
    private final ReadIndex readIndex;

    public CurrentPositions(PartitionRouter router, ReadIndex readIndex) {
        this.router = router;
        this.readIndex = readIndex;
    }

    /**
     * Returns the last change of every partition of the table, once it is known. The stage fails
     * with a retryable {@link ApiException}, and completes on a thread that must not be blocked.
     */
    public CompletionStage<List<Position>> of(TableDefinition table) {
        List<CompletableFuture<Position>> positions = new ArrayList<>(table.partitions());
        for (int partition = 0; partition < table.partitions(); partition++) {
            positions.add(of(table, partition).toCompletableFuture());
        }
        return CompletableFuture.allOf(positions.toArray(CompletableFuture[]::new))
                .thenApply(done -> positions.stream().map(CompletableFuture::join).toList());
    }

    private CompletionStage<Position> of(TableDefinition table, int partition) {
        PartitionRef owner = new PartitionRef.OfTable(table.id(), partition);
        if (router.isLocal(owner)) {
            return readIndex.current(table, partition);
        }
        return router.forward(owner, request(table, partition))
                .thenApply(
                        reply ->
                                new Position(
                                        partition, ByteBuffer.wrap(reply.toByteArray()).getLong()));
    }

    /** The number of the partition (4 bytes), then the name and the id of the table. */
    private static Request request(TableDefinition table, int partition) {
        byte[] names = (table.name() + "\n" + table.id()).getBytes(StandardCharsets.UTF_8);
        byte[] body =
                ByteBuffer.allocate(Integer.BYTES + names.length)
                        .putInt(partition)
                        .put(names)
                        .array();
        return new Request(OPERATION, body, Headers.NONE);
    }

    /** Returns what answers other nodes: the sequence of a partition's last change, 8 bytes. */
    public static Operation operation(TableLookup tables, ReadIndex readIndex) {
        return request -> {
            ByteBuffer in = ByteBuffer.wrap(request.body());
            if (in.remaining() < Integer.BYTES) {
                throw new ApiException(ApiError.SERIALIZATION, "");
            }
            int partition = in.getInt();
            String[] names = StandardCharsets.UTF_8.decode(in).toString().split("\n", -1);
            TableDefinition table =
                    tables.find(new TableName(names[0]))
                            .filter(found -> found.id().value().equals(names[names.length - 1]))
                            .orElseThrow(Texts::notHere);
            return readIndex
                    .current(table, partition)
                    .thenApply(
                            position ->
                                    Reply.of(
                                            ByteBuffer.allocate(Long.BYTES)
                                                    .putLong(position.sequence())
                                                    .array()));
        };
    }
}
