package dev.tidemark.query.item;

import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.ItemOutput;
import dev.tidemark.query.Messages;
import dev.tidemark.query.ProjectionParameters;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.JsonBytes;
import dev.tidemark.wire.StoredItems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** BatchGetItem: up to 100 items, of several tables; a reply is cut off at 16 MB. */
final class BatchGetItemOperation implements Operation {

    private static final int MOST_KEYS = 100;
    private static final int MOST_BYTES = 16 << 20;

    private final Services services;
    private final TableFacts.Finder tables;
    private final ItemReads reads;

    BatchGetItemOperation(Services services, TableFacts.Finder tables) {
        this.services = services;
        this.tables = tables;
        this.reads = new ItemReads(services);
    }

    /** What is asked of one table, its shape right. */
    private record Shape(
            JsonBody source,
            Optional<List<JsonItem>> keys,
            boolean consistent,
            ProjectionParameters projection,
            ExpressionParameters parameters) {

        static Shape read(JsonBody body) {
            return new Shape(
                    body,
                    body.items("Keys"),
                    body.bool("ConsistentRead").orElse(false),
                    ProjectionParameters.read(body),
                    ExpressionParameters.read(
                            body,
                            List.of(ProjectionParameters.EXPRESSION),
                            List.of(ProjectionParameters.LEGACY)));
        }
    }

    /** What is asked of one table, its content right, and what is answered of it. */
    private record Wanted(
            String name,
            JsonBody source,
            List<Item> keyItems,
            boolean consistent,
            ItemOutput output,
            JsonBytes items,
            CapacityUse use,
            List<Item> left) {}

    private record Key(Wanted wanted, TableFacts facts, Item item, PrimaryKey key) {}

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> capacity = body.string("ReturnConsumedCapacity");
        Optional<Map<String, JsonBody>> given = body.objectMap("RequestItems", "KeysAndAttributes");
        Map<String, Shape> shapes = new LinkedHashMap<>();
        given.orElse(Map.of()).forEach((table, shape) -> shapes.put(table, Shape.read(shape)));

        check(capacity, given, shapes);
        if (shapes.isEmpty()) {
            throw Messages.requestItemsRequired("BatchGetItem");
        }
        List<Wanted> wanted = new ArrayList<>();
        int count = 0;
        for (Map.Entry<String, Shape> entry : shapes.entrySet()) {
            Wanted one = wanted(entry.getKey(), entry.getValue());
            count += one.keyItems().size();
            wanted.add(one);
        }
        if (count > MOST_KEYS) {
            throw ApiException.validation(Messages.TOO_MANY_KEYS);
        }
        List<Key> keys = new ArrayList<>();
        for (Wanted one : wanted) {
            TableFacts facts = tables.find(Constraints.tableName(Optional.of(one.name())));
            for (Item item : one.keyItems()) {
                keys.add(new Key(one, facts, item, facts.requireKey(item)));
            }
        }
        List<CompletableFuture<Optional<byte[]>>> found = new ArrayList<>(keys.size());
        for (Key key : keys) {
            found.add(find(key).toCompletableFuture());
        }
        return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        ignored -> reply(capacity, wanted, keys, found), services.workers());
    }

    private static void check(
            Optional<String> capacity,
            Optional<Map<String, JsonBody>> given,
            Map<String, Shape> shapes) {
        Constraints constraints =
                new Constraints()
                        .oneOf("returnConsumedCapacity", capacity, CapacityUse.DETAILS)
                        .required("requestItems", given);
        given.ifPresent(
                tables ->
                        constraints
                                .size("requestItems", "{...}", tables.size(), 0, MOST_KEYS)
                                .tableKeys("requestItems", tables.keySet()));
        shapes.forEach(
                (table, shape) -> {
                    String path = "requestItems." + table + ".member";
                    constraints.required(path + ".keys", shape.keys());
                    int count = shape.keys().map(List::size).orElse(1);
                    if (count > MOST_KEYS) {
                        constraints.report(Messages.tooManyKeys(table, MOST_KEYS));
                    } else {
                        constraints.size(path + ".keys", "[]", count, 1, MOST_KEYS);
                    }
                    shape.projection().check(constraints);
                });
        constraints.check();
    }

    private static Wanted wanted(String table, Shape shape) {
        shape.parameters().checkCombination();
        shape.projection().checkNames();
        Placeholders placeholders = shape.parameters().placeholders();
        List<Expression> used = new ArrayList<>(1);
        Optional<ProjectionExpression> parsed = shape.projection().parse(used);
        ItemOutput output = shape.projection().output(parsed, placeholders);
        ExpressionParameters.requireAllUsed(placeholders, used);
        List<Item> items = shape.keys().orElseThrow().stream().map(JsonItem::item).toList();
        if (Set.copyOf(items).size() < items.size()) {
            throw ApiException.validation(Messages.DUPLICATE_KEYS);
        }
        return new Wanted(
                table,
                shape.source(),
                items,
                shape.consistent(),
                output,
                new JsonBytes(),
                new CapacityUse(table),
                new ArrayList<>());
    }

    private CompletionStage<Optional<byte[]>> find(Key key) {
        int partition = key.facts().partitionOf(key.key().partition());
        if (services.router().isLocal(key.facts().partition(partition))) {
            return reads.get(key.facts(), partition, key.key(), key.wanted().consistent());
        }
        JsonWriter out = new JsonWriter();
        out.beginObject()
                .member("TableName", key.facts().table().name().value())
                .member("ConsistentRead", key.wanted().consistent());
        out.name("Key").item(key.item());
        out.endObject();
        return services.router()
                .forward(
                        key.facts().partition(partition),
                        new Request("GetItem", out.toByteArray(), Headers.NONE))
                .thenApply(
                        reply ->
                                JsonBody.parse(reply.toByteArray())
                                        .item("Item")
                                        .map(item -> ItemCodec.encode(item.item())));
    }

    private static Reply reply(
            Optional<String> capacity,
            List<Wanted> wanted,
            List<Key> keys,
            List<CompletableFuture<Optional<byte[]>>> found) {
        long bytes = 0;
        for (int at = 0; at < keys.size(); at++) {
            Wanted one = keys.get(at).wanted();
            Optional<byte[]> stored = found.get(at).join();
            int size = stored.map(StoredItems::size).orElse(0);
            if (bytes > 0 && bytes + size > MOST_BYTES) {
                one.left().add(keys.get(at).item());
                continue;
            }
            bytes += size;
            one.use().addTable(CapacityUse.readUnits(size, one.consistent()));
            if (stored.isPresent()) {
                JsonBytes out = one.items();
                if (out.size() > 0) {
                    out.put(',');
                }
                one.output().write(stored.get(), out);
            }
        }
        JsonWriter out = new JsonWriter((int) Math.min(MOST_BYTES, bytes * 2 + 512));
        out.beginObject().name("Responses").beginObject();
        for (Wanted one : wanted) {
            out.name(one.name()).beginArray();
            if (one.items().size() > 0) {
                out.raw(one.items().array(), 0, one.items().size());
            }
            out.endArray();
        }
        out.endObject().name("UnprocessedKeys").beginObject();
        wanted.stream()
                .filter(one -> !one.left().isEmpty())
                .forEach(one -> writeUnprocessed(one, one.left(), out));
        out.endObject();
        CapacityUse.writeMember(capacity, wanted.stream().map(Wanted::use).toList(), out);
        out.endObject();
        return Reply.of(out.array(), out.size());
    }

    private static void writeUnprocessed(Wanted one, List<Item> rest, JsonWriter out) {
        out.name(one.name()).beginObject().name("Keys").beginArray();
        rest.forEach(out::item);
        out.endArray();
        if (one.consistent()) {
            out.member("ConsistentRead", true);
        }
        one.source()
                .string(ProjectionParameters.EXPRESSION)
                .ifPresent(text -> out.member(ProjectionParameters.EXPRESSION, text));
        one.source()
                .stringMap("ExpressionAttributeNames")
                .ifPresent(
                        names -> {
                            out.name("ExpressionAttributeNames").beginObject();
                            names.forEach(out::member);
                            out.endObject();
                        });
        one.source()
                .strings(ProjectionParameters.LEGACY)
                .ifPresent(
                        names -> {
                            out.name(ProjectionParameters.LEGACY).beginArray();
                            names.forEach(out::string);
                            out.endArray();
                        });
        out.endObject();
    }
}
