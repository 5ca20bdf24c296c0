package dev.tidemark.query.page;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.item.Item;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.IndexFreshness;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads pages of partitions on this node, as fresh as asked for, and makes replies of them. */
final class PageReads {

    private final Services services;
    private final PartitionReader reader;

    PageReads(Services services) {
        this.services = services;
        this.reader = new PartitionReader(services.stores());
    }

    /** Returns whether the request is to be answered here for this partition. */
    boolean isHere(Request request, Source source, int partition) {
        return request.header(PartitionRouter.FORWARDED).isPresent()
                || services.router().isLocal(source.partition(partition));
    }

    PartitionRouter router() {
        return services.router();
    }

    /** Reads a page of a partition on this node; completes on a worker. */
    CompletionStage<PartitionPage> read(
            PartitionRead read, boolean consistent, Freshness freshness) {
        Source source = read.source();
        if (source.global().isPresent()) {
            return services.freshness()
                    .reflects(source.table(), source.global().get(), read.partition(), freshness)
                    .thenApplyAsync(
                            ignored -> {
                                // asked for before reading: the answer is at least as fresh
                                Optional<IndexLag> lag =
                                        services.freshness()
                                                .lag(
                                                        source.table(),
                                                        source.global().get(),
                                                        read.partition());
                                return reader.read(read).withLag(lag);
                            },
                            services.workers());
        }
        if (consistent || !freshness.equals(Freshness.ANY)) {
            return services.readIndex()
                    .current(source.table(), read.partition())
                    .thenApplyAsync(ignored -> reader.read(read), services.workers());
        }
        return CompletableFuture.supplyAsync(() -> reader.read(read), services.workers());
    }

    /** Makes the reply that shows a page. */
    static Reply reply(
            Source source, CommonParameters common, PartitionPage page, Optional<Item> last) {
        JsonWriter out = new JsonWriter(page.items().size() + 512);
        out.beginObject();
        if (common.select().filter("COUNT"::equals).isEmpty()) {
            out.name("Items").beginArray();
            if (page.items().size() > 0) {
                out.raw(page.items().array(), 0, page.items().size());
            }
            out.endArray();
        }
        out.member("Count", page.count()).member("ScannedCount", page.scanned());
        last.ifPresent(cursor -> out.name("LastEvaluatedKey").item(cursor));
        if (CapacityUse.isAsked(common.capacity())) {
            use(source, common, page).writeMember(common.capacity(), out);
        }
        out.endObject();
        Reply reply = Reply.of(out.array(), out.size());
        return source.global().isPresent()
                ? reply.withHeader(IndexFreshness.LAG, IndexFreshness.text(page.lag()))
                : reply;
    }

    private static CapacityUse use(Source source, CommonParameters common, PartitionPage page) {
        CapacityUse use = new CapacityUse(common.tableName().orElseThrow());
        double units = CapacityUse.readUnits(page.bytes(), common.consistent());
        if (source.global().isPresent()) {
            use.addGlobal(source.global().get().name().value(), units);
        } else if (source.local().isPresent()) {
            use.addLocal(source.local().get().name().value(), units);
            use.addTable(page.fetchedUnits() * (common.consistent() ? 1.0 : 0.5));
        } else {
            use.addTable(units);
        }
        return use;
    }
}
