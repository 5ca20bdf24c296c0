package dev.tidemark.query.item;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
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

    /** What became of one entry: a local outcome, a position told by another node, or neither. */
    private record Result(
            Checked checked,
            Optional<WriteOutcome.Applied> applied,
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
        boolean oneEach = read(given.orElse(Map.of()), shapes, constraints);

        given.ifPresent(
                byTable -> {
                    constraints.size("requestItems", "{}", byTable.size(), 1, MOST_WRITES);
                    byTable.forEach(
                            (table, list) ->
                                    constraints.size(
                                            "requestItems." + table + ".member",
                                            "[]",
                                            list.size(),
                                            1,
                                            MOST_WRITES));
                });
        constraints.check();
        if (!oneEach) {
            throw ApiException.validation(Messages.ONE_WRITE_EACH);
        }
        if (shapes.size() > MOST_WRITES) {
            throw ApiException.validation(Messages.TOO_MANY_WRITES);
        }
        List<Entry> entries = new ArrayList<>(shapes.size());
        for (Shape shape : shapes) {
            entries.add(new Entry(shape.table(), shape.isPut(), shape.item().item()));
        }
        List<Checked> checked = check(entries);
        List<CompletableFuture<Result>> results = new ArrayList<>(checked.size());
        for (Checked each : checked) {
            results.add(send(each).toCompletableFuture());
        }
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        ignored ->
                                reply(
                                        results.stream().map(CompletableFuture::join).toList(),
                                        capacity,
                                        metrics),
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
                    entry.isPut() ? table.requirePut(entry.item()) : table.requireKey(entry.item());
            String name = table.table().name().value();
            if (!seen.computeIfAbsent(name, none -> new HashSet<>()).add(key)) {
                throw ApiException.validation(Messages.DUPLICATE_KEYS);
            }
            checked.add(new Checked(entry, table, key));
        }
        return checked;
    }

    private CompletionStage<Result> send(Checked checked) {
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
                                                    Optional.of(applied),
                                                    Optional.of(
                                                            PositionToken.of(
                                                                    facts.table().name(),
                                                                    applied.position())),
                                                    Optional.empty()));
        } else {
            result = forward(checked, partition);
        }
        return result.exceptionally(
                failure ->
                        new Result(
                                checked,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(ErrorForm.apiException(failure))));
    }

    private CompletionStage<Result> forward(Checked checked, int partition) {
        Entry entry = checked.entry();
        JsonWriter out = new JsonWriter();
        out.beginObject().member("TableName", checked.facts().table().name().value());
        out.name(entry.isPut() ? "Item" : "Key").item(entry.item());
        out.endObject();
        Request request =
                new Request(
                        entry.isPut() ? "PutItem" : "DeleteItem", out.toByteArray(), Headers.NONE);
        PartitionRouter router = services.router();
        return router.forward(checked.facts().partition(partition), request)
                .thenApply(
                        reply ->
                                new Result(
                                        checked,
                                        Optional.empty(),
                                        Optional.ofNullable(
                                                reply.headers().get(PositionToken.POSITION)),
                                        Optional.empty()));
    }

    private static Reply reply(
            List<Result> results, Optional<String> capacity, Optional<String> metrics) {
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
        if (metrics.filter("SIZE"::equals).isPresent()) {
            writeMetrics(done, out);
        }
        CapacityUse.writeMember(capacity, uses.values(), out);
        out.endObject();
        Reply reply = Reply.of(out.array(), out.size());
        return positions.isEmpty()
                ? reply
                : reply.withHeader(PositionToken.POSITION, String.join(",", positions));
    }

    /** Of a write on another node, the old item is not known; the new one is its cost at least. */
    private static void addUse(CapacityUse use, Result result) {
        Checked checked = result.checked();
        Optional<Item> sent =
                checked.entry().isPut() ? Optional.of(checked.entry().item()) : Optional.empty();
        use.addWrite(
                checked.facts(),
                checked.key(),
                result.applied().flatMap(WriteOutcome.Applied::before),
                result.applied().map(WriteOutcome.Applied::after).orElse(sent));
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

    private static void writeMetrics(Map<String, List<Result>> done, JsonWriter out) {
        out.name("ItemCollectionMetrics").beginObject();
        done.forEach(
                (table, results) -> {
                    if (results.get(0).checked().facts().table().localIndexes().isEmpty()) {
                        return;
                    }
                    out.name(table).beginArray();
                    Set<Object> collections = new HashSet<>();
                    for (Result result : results) {
                        PrimaryKey key = result.checked().key();
                        if (collections.add(key.partition())) {
                            ItemWrites.writeMetrics(result.checked().facts(), key, out);
                        }
                    }
                    out.endArray();
                });
        out.endObject();
    }
}
