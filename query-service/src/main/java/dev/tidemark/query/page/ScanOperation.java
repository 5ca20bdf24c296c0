package dev.tidemark.query.page;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.item.Item;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.wire.JsonBytes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Scan of a table, a local or a global index: one partition after another, each in hash order,
 * until the page is full. Partitions of other nodes are read there.
 */
final class ScanOperation implements Operation {

    private final TableFacts.Finder tables;
    private final PageReads reads;

    ScanOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.reads = new PageReads(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        ScanPlan plan = ScanPlan.of(request, tables);
        Progress progress = new Progress(request, plan);
        return progress.from(plan.firstPartition());
    }

    private final class Progress {

        private final Request request;
        private final ScanPlan plan;
        private final JsonBytes items = new JsonBytes(4096);
        private int count;
        private int scanned;
        private long bytes;
        private long fetchedUnits;
        private boolean lagKnown = true;
        private IndexLag lag = IndexLag.NONE;

        Progress(Request request, ScanPlan plan) {
            this.request = request;
            this.plan = plan;
        }

        CompletionStage<Reply> from(int partition) {
            int limit =
                    plan.common()
                            .limit()
                            .map(most -> most - scanned)
                            .orElse(PartitionRead.NO_LIMIT);
            long budget = PartitionRead.PAGE_BYTES - bytes;
            return page(partition, limit, budget)
                    .thenCompose(
                            page -> {
                                add(page);
                                boolean ends =
                                        page.last().isPresent()
                                                || partition + 1
                                                        >= plan.source().table().partitions();
                                return ends
                                        ? CompletableFuture.completedFuture(reply(page.last()))
                                        : from(partition + 1);
                            });
        }

        private CompletionStage<PartitionPage> page(int partition, int limit, long budget) {
            if (reads.isHere(request, plan.source(), partition)) {
                return reads.read(
                        plan.partitionRead(partition, limit, budget),
                        plan.common().consistent(),
                        plan.freshness());
            }
            return reads.router()
                    .forward(
                            plan.source().partition(partition),
                            ScanPartitionOperation.request(
                                    plan.source().pinned(request), partition, limit, budget))
                    .thenApply(reply -> PartitionPage.fromBytes(reply.toByteArray()));
        }

        private void add(PartitionPage page) {
            if (page.items().size() > 0) {
                if (items.size() > 0) {
                    items.put(',');
                }
                items.put(page.items().array(), 0, page.items().size());
            }
            count += page.count();
            scanned += page.scanned();
            bytes += page.bytes();
            fetchedUnits += page.fetchedUnits();
            lagKnown &= page.lag().isPresent();
            page.lag()
                    .ifPresent(
                            one ->
                                    lag =
                                            new IndexLag(
                                                    Math.max(lag.changes(), one.changes()),
                                                    lag.age().compareTo(one.age()) >= 0
                                                            ? lag.age()
                                                            : one.age()));
        }

        private Reply reply(Optional<Item> last) {
            PartitionPage whole =
                    new PartitionPage(
                            items,
                            count,
                            scanned,
                            bytes,
                            fetchedUnits,
                            last,
                            lagKnown ? Optional.of(lag) : Optional.empty());
            return PageReads.reply(plan.source(), plan.common(), whole, last);
        }
    }
}
