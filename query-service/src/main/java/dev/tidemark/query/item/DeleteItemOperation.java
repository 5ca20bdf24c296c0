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

/** DeleteItem. */
final class DeleteItemOperation implements Operation {

    private final TableFacts.Finder tables;
    private final ItemWrites writes;

    DeleteItemOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.writes = new ItemWrites(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName");
        Optional<JsonItem> given = body.item("Key");
        WriteOptions options = WriteOptions.read(body);
        WriteExpressions expressions = WriteExpressions.readCondition(body);

        String name = Constraints.tableName(tableName);
        expressions.check(options.check(new Constraints()).required("key", given)).check();
        options.checkOldOnly();
        expressions.checkCombination();
        Item keyItem = given.orElseThrow().item();
        WriteExpressions.Resolved resolved = expressions.resolve();

        TableFacts facts = tables.find(name);
        PrimaryKey key = facts.requireKey(keyItem);
        resolved.checkKeys(facts);
        return writes.write(
                request,
                facts,
                key,
                new Write.DeleteItem(keyItem, resolved.condition(), resolved.placeholders()),
                options,
                UnaryOperator.identity(),
                applied -> options.wants("ALL_OLD") ? applied.before() : Optional.empty());
    }
}
