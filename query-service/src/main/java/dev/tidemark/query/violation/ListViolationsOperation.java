package dev.tidemark.query.violation;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Messages;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.wire.JsonBytes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lists the items that have an index's key attributes and yet no entry, with the reason: one
 * partition of the table after another, each in hash order, until the page is full. It works as
 * soon as the index's app runs, while the index is being built as well.
 *
 * <p>Without a Generation it tells of the one being built, or else of the one that serves.
 */
final class ListViolationsOperation implements Operation {

    static final String NAME = "Tidemark.ListIndexViolations";

    private final Services services;
    private final TableFacts.Finder tables;
    private final Cluster cluster;

    ListViolationsOperation(Services services, TableFacts.Finder tables, Cluster cluster) {
        this.services = services;
        this.tables = tables;
        this.cluster = cluster;
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName");
        Optional<String> indexName = body.string("IndexName");
        Optional<Integer> generation = body.integer("Generation");
        Optional<Integer> limit = body.integer("Limit");
        Optional<JsonItem> startKey = body.item("ExclusiveStartKey");
        String name = Constraints.tableName(tableName);
        new Constraints()
                .required("indexName", indexName)
                .indexName(indexName)
                .between("limit", limit, 1, Integer.MAX_VALUE)
                .check();
        TableFacts facts = tables.find(name);
        TableDefinition table = facts.table();
        GlobalIndex index =
                find(table, new IndexName(indexName.orElseThrow()), generation)
                        .orElseThrow(
                                () -> Messages.noSuchIndex(indexName.orElseThrow(), table.name()));
        Optional<Item> start =
                startKey.map(
                        given ->
                                new Item(
                                        given.values((at, e) -> Messages.invalidStartKeyValue(e))));
        int first =
                start.map(facts::requireKey)
                        .map(PrimaryKey::partition)
                        .map(facts::partitionOf)
                        .orElse(0);
        return new Listing(table, index, limit.orElse(Integer.MAX_VALUE)).from(first, start);
    }

    private static Optional<GlobalIndex> find(
            TableDefinition table, IndexName name, Optional<Integer> generation) {
        Optional<GlobalIndex> found =
                generation.isEmpty()
                        ? table.spare(name, SpareGeneration.Purpose.NEXT)
                                .map(SpareGeneration::index)
                                .or(() -> table.globalIndex(name))
                        : table.generations().stream()
                                .filter(index -> index.name().equals(name))
                                .filter(index -> index.generation() == generation.get())
                                .findFirst();
        return found.filter(index -> index.status().isMaintained());
    }

    private final class Listing {

        private final TableDefinition table;
        private final GlobalIndex index;
        private final int limit;
        private final JsonBytes violations = new JsonBytes(1024);
        private int count;

        Listing(TableDefinition table, GlobalIndex index, int limit) {
            this.table = table;
            this.index = index;
            this.limit = limit;
        }

        CompletionStage<Reply> from(int partition, Optional<Item> after) {
            ViolationRead read =
                    new ViolationRead(
                            IndexId.of(table, index),
                            partition,
                            after,
                            limit - count,
                            ViolationRead.PAGE_BYTES - violations.size());
            return page(read)
                    .thenCompose(
                            page -> {
                                add(page);
                                boolean ends =
                                        page.last().isPresent()
                                                || partition + 1 >= table.partitions();
                                return ends
                                        ? CompletableFuture.completedFuture(reply(page.last()))
                                        : from(partition + 1, Optional.empty());
                            });
        }

        private CompletionStage<ViolationPage> page(ViolationRead read) {
            PartitionRouter router = services.router();
            PartitionRef where = new PartitionRef.OfProjection(read.index(), read.partition());
            if (router.isLocal(where)) {
                return CompletableFuture.supplyAsync(
                        () -> read.from(services.stores(), table), services.workers());
            }
            return router.forward(where, PartitionViolationsOperation.request(table, read))
                    .thenApply(reply -> ViolationPage.fromBytes(reply.toByteArray()));
        }

        private void add(ViolationPage page) {
            if (page.count() > 0) {
                if (count > 0) {
                    violations.put(',');
                }
                violations.put(page.violations().array(), 0, page.violations().size());
                count += page.count();
            }
        }

        private Reply reply(Optional<Item> last) {
            JsonWriter out = new JsonWriter(violations.size() + 256);
            out.beginObject();
            out.member("TableName", table.name().value());
            out.member("IndexName", index.name().value());
            out.member("Generation", index.generation());
            out.name("Violations").beginArray();
            if (count > 0) {
                out.raw(violations.array(), 0, violations.size());
            }
            out.endArray();
            out.member("Count", count);
            Optional<ProjectionCounts> counts = cluster.counts(table, index);
            counts.ifPresent(
                    known ->
                            out.member("TotalCount", known.skipped())
                                    .member("Complete", known.isListed()));
            last.ifPresent(key -> out.name("LastEvaluatedKey").item(key));
            out.endObject();
            return Reply.of(out.array(), out.size());
        }
    }
}
