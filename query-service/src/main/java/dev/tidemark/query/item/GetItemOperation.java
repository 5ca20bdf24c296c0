package dev.tidemark.query.item;

import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.ItemOutput;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.ProjectionParameters;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.wire.JsonBytes;
import dev.tidemark.wire.StoredItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** GetItem. */
final class GetItemOperation implements Operation {

    private final Services services;
    private final TableFacts.Finder tables;
    private final ItemReads reads;

    GetItemOperation(Services services, TableFacts.Finder tables) {
        this.services = services;
        this.tables = tables;
        this.reads = new ItemReads(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName");
        Optional<JsonItem> given = body.item("Key");
        boolean consistent = body.bool("ConsistentRead").orElse(false);
        Optional<String> capacity = body.string("ReturnConsumedCapacity");
        ProjectionParameters projection = ProjectionParameters.read(body);
        ExpressionParameters parameters =
                ExpressionParameters.read(
                        body,
                        List.of(ProjectionParameters.EXPRESSION),
                        List.of(ProjectionParameters.LEGACY));

        String name = Constraints.tableName(tableName);
        Constraints constraints =
                new Constraints()
                        .oneOf("returnConsumedCapacity", capacity, CapacityUse.DETAILS)
                        .required("key", given);
        projection.check(constraints);
        constraints.check();
        parameters.checkCombination();
        Item keyItem = given.orElseThrow().item();
        projection.checkNames();
        Placeholders placeholders = parameters.placeholders();
        List<Expression> used = new ArrayList<>(1);
        Optional<ProjectionExpression> parsed = projection.parse(used);
        ItemOutput output = projection.output(parsed, placeholders);
        ExpressionParameters.requireAllUsed(placeholders, used);

        TableFacts facts = tables.find(name);
        PrimaryKey key = facts.requireKey(keyItem);
        parsed.ifPresent(paths -> facts.requireScalarKeys(paths, placeholders));
        int partition = facts.partitionOf(key.partition());
        if (request.header(PartitionRouter.FORWARDED).isEmpty()
                && !services.router().isLocal(facts.partition(partition))) {
            return services.router().forward(facts.partition(partition), request);
        }
        return reads.get(facts, partition, key, consistent)
                .thenApply(stored -> reply(tableName.get(), stored, consistent, capacity, output));
    }

    private static Reply reply(
            String table,
            Optional<byte[]> stored,
            boolean consistent,
            Optional<String> capacity,
            ItemOutput output) {
        JsonBytes item = new JsonBytes();
        if (!CapacityUse.isAsked(capacity)) {
            if (stored.isPresent()) {
                item.putAscii("{\"Item\":");
                output.write(stored.get(), item);
            } else {
                item.put('{');
            }
            item.put('}');
            return Reply.of(item.array(), item.size());
        }
        JsonWriter out = new JsonWriter();
        out.beginObject();
        if (stored.isPresent()) {
            output.write(stored.get(), item);
            out.name("Item").raw(item.array(), 0, item.size());
        }
        CapacityUse use = new CapacityUse(table);
        use.addTable(CapacityUse.readUnits(stored.map(StoredItems::size).orElse(0), consistent));
        use.writeMember(capacity, out);
        out.endObject();
        return Reply.of(out.array(), out.size());
    }
}
