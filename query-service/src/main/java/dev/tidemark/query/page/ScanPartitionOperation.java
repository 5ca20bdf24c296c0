package dev.tidemark.query.page;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Reads one partition of a Scan for another node.
 *
 * <p>The request's body is the number of the partition (4 bytes), how many entries to look at (4)
 * and how many bytes to read (8) at most, and the body of the Scan as it came. The reply's body is
 * a {@link PartitionPage}.
 */
final class ScanPartitionOperation implements Operation {

    /** Its name, whole: it is no operation of DynamoDB's API. */
    static final String NAME = "Tidemark.ScanPartition";

    private static final int HEAD = 16;

    private final TableFacts.Finder tables;
    private final PageReads reads;

    ScanPartitionOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.reads = new PageReads(services);
    }

    static Request request(Request scan, int partition, int limit, long budget) {
        byte[] body = scan.body();
        ByteBuffer out = ByteBuffer.allocate(HEAD + body.length);
        out.putInt(partition).putInt(limit).putLong(budget).put(body);
        return new Request(NAME, out.array(), scan::header);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        ByteBuffer in = ByteBuffer.wrap(request.body());
        if (in.remaining() < HEAD) {
            throw new ApiException(ApiError.SERIALIZATION, "");
        }
        int partition = in.getInt();
        int limit = in.getInt();
        long budget = in.getLong();
        byte[] body = new byte[in.remaining()];
        in.get(body);
        ScanPlan plan = ScanPlan.of(new Request("Scan", body, request::header), tables);
        if (partition < 0 || partition >= plan.source().table().partitions()) {
            throw new ApiException(ApiError.SERIALIZATION, "");
        }
        return reads.read(
                        plan.partitionRead(partition, limit, budget),
                        plan.common().consistent(),
                        plan.freshness())
                .thenApply(page -> Reply.of(page.toBytes()));
    }
}
