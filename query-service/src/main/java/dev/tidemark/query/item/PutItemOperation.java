package dev.tidemark.query.item;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Write;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** PutItem. */
final class PutItemOperation implements Operation {

    private final TableFacts.Finder tables;
    private final ItemWrites writes;

    PutItemOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.writes = new ItemWrites(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName");
        Optional<JsonItem> given = body.item("Item");
        WriteOptions options = WriteOptions.read(body);
        WriteExpressions expressions = WriteExpressions.readCondition(body);

        String name = Constraints.tableName(tableName);
        expressions.check(options.check(new Constraints()).required("item", given)).check();
        expressions.checkCombination();
        Item item = given.orElseThrow().item();
        options.checkOldOnly();
        TableFacts.requireSize(item);
        WriteExpressions.Resolved resolved = expressions.resolve();

        TableFacts facts = tables.find(name);
        PrimaryKey key = facts.requirePut(item);
        resolved.checkKeys(facts);
        return writes.write(
                request,
                facts,
                key,
                new Write.PutItem(item, resolved.condition(), resolved.placeholders()),
                options,
                UnaryOperator.identity(),
                applied -> options.wants("ALL_OLD") ? applied.before() : Optional.empty());
    }
}
