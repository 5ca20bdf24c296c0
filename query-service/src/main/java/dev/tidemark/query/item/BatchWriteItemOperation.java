package dev.tidemark.query.item;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Messages;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.ErrorForm;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.read.PositionToken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * BatchWriteItem: up to 25 puts and deletes, each applied alone. All are looked at before any is
 * sent; what could not be applied for a reason that passes is answered as unprocessed.
 */
final class BatchWriteItemOperation implements Operation {

    private static final int MOST_WRITES = 25;

    private final Services services;
    private final TableFacts.Finder tables;
    private final ItemWrites writes;

    BatchWriteItemOperation(Services services, TableFacts.Finder tables) {
        this.services = services;
        this.tables = tables;
        this.writes = new ItemWrites(services);
    }

    /** One put or delete, its shape right. */
    private record Shape(String table, boolean isPut, JsonItem item) {}

    /** One put or delete, its content right. */
    private record Entry(String table, boolean isPut, Item item) {}

    private record Checked(Entry entry, TableFacts facts, PrimaryKey key) {}

    /** What of the writes is to be told. */
    private record Asked(Optional<String> capacity, Optional<String> metrics) {
        boolean capacityIsAsked() {
            return CapacityUse.isAsked(capacity);
        }

        boolean metricsAreAsked() {
            return metrics.filter("SIZE"::equals).isPresent();
        }
    }

    /**
     * What became of one entry.
     *
     * @param before the item before; of a write on another node, only if the capacity is asked for
     * @param collectionSize the size of its collection, if the table has local indexes; of a write
     *     on another node, only if it is asked for and in whole gigabytes
     */
    private record Result(
            Checked checked,
            Optional<Item> before,
            OptionalLong collectionSize,
            Optional<String> position,
            Optional<ApiException> failure) {}

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> capacity = body.string("ReturnConsumedCapacity");
        Optional<String> metrics = body.string("ReturnItemCollectionMetrics");
        Optional<Map<String, List<JsonBody>>> given =
                body.objectListMap("RequestItems", "WriteRequest");
        List<Shape> shapes = new ArrayList<>();
        Constraints constraints =
                new Constraints()
                        .oneOf("returnConsumedCapacity", capacity, CapacityUse.DETAILS)
                        .oneOf("returnItemCollectionMetrics", metrics, WriteOptions.METRICS)
                        .required("requestItems", given);
        given.ifPresent(
                byTable ->
                        constraints
                                .size("requestItems", "{...}", byTable.size(), 0, MOST_WRITES)
                                .tableKeys("requestItems", byTable.keySet())
                                .listSizes("requestItems", byTable, MOST_WRITES));
        boolean oneEach = read(given.orElse(Map.of()), shapes, constraints);

        constraints.check();
        if (given.orElseThrow().isEmpty()) {
            throw Messages.requestItemsRequired("BatchWriteItem");
        }
        if (!oneEach) {
            throw ApiException.validation(Messages.ONE_WRITE_EACH);
        }
        if (shapes.size() > MOST_WRITES) {
            throw ApiException.validation(Messages.TOO_MANY_WRITES);
        }
        List<Entry> entries = new ArrayList<>(shapes.size());
        for (Shape shape : shapes) {
            Item item = shape.item().item();
            if (shape.isPut()) {
                TableFacts.requireSize(item);
            }
            entries.add(new Entry(shape.table(), shape.isPut(), item));
        }
        List<Checked> checked = check(entries);
        Asked asked = new Asked(capacity, metrics);
        List<CompletableFuture<Result>> results = new ArrayList<>(checked.size());
        for (Checked each : checked) {
            results.add(send(each, asked).toCompletableFuture());
        }
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        ignored ->
                                reply(
                                        results.stream().map(CompletableFuture::join).toList(),
                                        asked),
                        services.workers());
    }

    private static boolean read(
            Map<String, List<JsonBody>> given, List<Shape> shapes, Constraints constraints) {
        boolean oneEach = true;
        for (Map.Entry<String, List<JsonBody>> byTable : given.entrySet()) {
            int number = 0;
            for (JsonBody write : byTable.getValue()) {
                number++;
                String path = "requestItems." + byTable.getKey() + ".member." + number + ".member.";
                Optional<JsonBody> put = write.object("PutRequest", "PutRequest");
                Optional<JsonBody> delete = write.object("DeleteRequest", "DeleteRequest");
                Optional<JsonItem> item = put.flatMap(each -> each.item("Item"));
                Optional<JsonItem> key = delete.flatMap(each -> each.item("Key"));
                oneEach &= put.isPresent() != delete.isPresent();
                if (put.isPresent()) {
                    constraints.required(path + "putRequest.item", item);
                }
                if (delete.isPresent()) {
                    constraints.required(path + "deleteRequest.key", key);
                }
                item.ifPresent(each -> shapes.add(new Shape(byTable.getKey(), true, each)));
                key.ifPresent(each -> shapes.add(new Shape(byTable.getKey(), false, each)));
            }
        }
        return oneEach;
    }

    private List<Checked> check(List<Entry> entries) {
        Map<String, TableFacts> facts = new LinkedHashMap<>();
        for (Entry entry : entries) {
            facts.computeIfAbsent(
                    entry.table(), name -> tables.find(Constraints.tableName(Optional.of(name))));
        }
        List<Checked> checked = new ArrayList<>(entries.size());
        Map<String, Set<PrimaryKey>> seen = new LinkedHashMap<>();
        for (Entry entry : entries) {
            TableFacts table = facts.get(entry.table());
            if (table == null) {
                throw Messages.tableNotFound();
            }
            PrimaryKey key =
                    entry.isPut()
                            ? table.requireBatchPut(entry.item())
                            : table.requireKey(entry.item());
            String name = table.table().name().value();
            if (!seen.computeIfAbsent(name, none -> new HashSet<>()).add(key)) {
                throw ApiException.validation(Messages.DUPLICATE_KEYS);
            }
            checked.add(new Checked(entry, table, key));
        }
        return checked;
    }

    private CompletionStage<Result> send(Checked checked, Asked asked) {
        TableFacts facts = checked.facts();
        Entry entry = checked.entry();
        int partition = facts.partitionOf(checked.key().partition());
        CompletionStage<Result> result;
        if (services.router().isLocal(facts.partition(partition))) {
            Write write =
                    entry.isPut()
                            ? new Write.PutItem(entry.item(), Optional.empty(), Placeholders.NONE)
                            : new Write.DeleteItem(
                                    entry.item(), Optional.empty(), Placeholders.NONE);
            result =
                    writes.append(facts, write)
                            .thenApply(
                                    applied ->
                                            new Result(
                                                    checked,
                                                    applied.before(),
                                                    applied.collectionSize(),
                                                    Optional.of(
                                                            PositionToken.of(
                                                                    facts.table().name(),
                                                                    applied.position())),
                                                    Optional.empty()));
        } else {
            result = forward(checked, partition, asked);
        }
        return result.exceptionally(
                failure ->
                        new Result(
                                checked,
                                Optional.empty(),
                                OptionalLong.empty(),
                                Optional.empty(),
                                Optional.of(ErrorForm.apiException(failure))));
    }

    private CompletionStage<Result> forward(Checked checked, int partition, Asked asked) {
        Entry entry = checked.entry();
        JsonWriter out = new JsonWriter();
        out.beginObject().member("TableName", checked.facts().table().name().value());
        out.name(entry.isPut() ? "Item" : "Key").item(entry.item());
        if (asked.capacityIsAsked()) {
            out.member("ReturnValues", "ALL_OLD");
        }
        if (asked.metricsAreAsked()) {
            out.member("ReturnItemCollectionMetrics", "SIZE");
        }
        out.endObject();
        Request request =
                new Request(
                        entry.isPut() ? "PutItem" : "DeleteItem", out.toByteArray(), Headers.NONE);
        PartitionRouter router = services.router();
        return router.forward(checked.facts().partition(partition), request)
                .thenApply(reply -> result(checked, reply));
    }

    private static Result result(Checked checked, Reply reply) {
        JsonBody told = JsonBody.parse(reply.toByteArray());
        return new Result(
                checked,
                told.item("Attributes").map(JsonItem::item),
                ItemCollections.sizeIn(told),
                Optional.ofNullable(reply.headers().get(PositionToken.POSITION)),
                Optional.empty());
    }

    private static Reply reply(List<Result> results, Asked asked) {
        // what does not pass by itself is told at once; the other writes stand nevertheless
        for (Result result : results) {
            result.failure()
                    .filter(failure -> !failure.error().isRetryable())
                    .ifPresent(
                            failure -> {
                                throw failure;
                            });
        }
        boolean allFailed = results.stream().allMatch(result -> result.failure().isPresent());
        if (allFailed) {
            throw results.get(0).failure().orElseThrow();
        }
        JsonWriter out = new JsonWriter();
        out.beginObject().name("UnprocessedItems").beginObject();
        Map<String, List<Entry>> left = new LinkedHashMap<>();
        Map<String, CapacityUse> uses = new TreeMap<>();
        Map<String, List<Result>> done = new LinkedHashMap<>();
        Set<String> positions = new HashSet<>();
        for (Result result : results) {
            String table = result.checked().entry().table();
            if (result.failure().isPresent()) {
                left.computeIfAbsent(table, none -> new ArrayList<>())
                        .add(result.checked().entry());
            } else {
                done.computeIfAbsent(table, none -> new ArrayList<>()).add(result);
                result.position().ifPresent(positions::add);
                addUse(uses.computeIfAbsent(table, CapacityUse::new), result);
            }
        }
        left.forEach((table, entries) -> writeUnprocessed(table, entries, out));
        out.endObject();
        if (asked.metricsAreAsked()) {
            writeMetrics(done, out);
        }
        CapacityUse.writeMember(asked.capacity(), uses.values(), out);
        out.endObject();
        Reply reply = Reply.of(out.array(), out.size());
        return positions.isEmpty()
                ? reply
                : reply.withHeader(PositionToken.POSITION, String.join(",", positions));
    }

    private static void addUse(CapacityUse use, Result result) {
        Checked checked = result.checked();
        use.addWrite(
                checked.facts(),
                checked.key(),
                result.before(),
                checked.entry().isPut() ? Optional.of(checked.entry().item()) : Optional.empty());
    }

    private static Result larger(Result one, Result other) {
        return one.collectionSize().getAsLong() < other.collectionSize().getAsLong() ? other : one;
    }

    private static void writeUnprocessed(String table, List<Entry> entries, JsonWriter out) {
        out.name(table).beginArray();
        for (Entry entry : entries) {
            out.beginObject()
                    .name(entry.isPut() ? "PutRequest" : "DeleteRequest")
                    .beginObject()
                    .name(entry.isPut() ? "Item" : "Key")
                    .item(entry.item());
            out.endObject().endObject();
        }
        out.endArray();
    }

    /** Of several writes to one collection the largest size is told: any order is as good. */
    private static void writeMetrics(Map<String, List<Result>> done, JsonWriter out) {
        out.name("ItemCollectionMetrics").beginObject();
        done.forEach(
                (table, results) -> {
                    Map<List<AttributeValue>, Result> collections = new LinkedHashMap<>();
                    for (Result result : results) {
                        if (result.collectionSize().isPresent()) {
                            collections.merge(
                                    result.checked().key().partition(),
                                    result,
                                    BatchWriteItemOperation::larger);
                        }
                    }
                    if (!collections.isEmpty()) {
                        out.name(table).beginArray();
                        collections
                                .values()
                                .forEach(
                                        result ->
                                                ItemCollections.write(
                                                        result.checked().facts(),
                                                        result.checked().key(),
                                                        result.collectionSize().getAsLong(),
                                                        out));
                        out.endArray();
                    }
                });
        out.endObject();
    }
}
