package dev.tidemark.query.item;

import dev.tidemark.expressions.BoundUpdate;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
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

/** UpdateItem. */
final class UpdateItemOperation implements Operation {

    private final TableFacts.Finder tables;
    private final ItemWrites writes;

    UpdateItemOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.writes = new ItemWrites(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName");
        Optional<JsonItem> given = body.item("Key");
        WriteOptions options = WriteOptions.read(body);
        WriteExpressions expressions = WriteExpressions.readUpdate(body);

        String name = Constraints.tableName(tableName);
        expressions.check(options.check(new Constraints()).required("key", given)).check();
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
                new Write.UpdateItem(
                        keyItem, resolved.update(), resolved.condition(), resolved.placeholders()),
                options,
                expressions.refusals(),
                applied -> shown(options, applied, resolved.boundUpdate()));
    }

    private static Optional<Item> shown(
            WriteOptions options, WriteOutcome.Applied applied, Optional<BoundUpdate> update) {
        return switch (options.returnValues().orElse("NONE")) {
            case "ALL_OLD" -> applied.before();
            case "ALL_NEW" -> applied.after();
            case "UPDATED_OLD" -> updatedOnly(applied.before(), update);
            case "UPDATED_NEW" -> updatedOnly(applied.after(), update);
            default -> Optional.empty();
        };
    }

    private static Optional<Item> updatedOnly(Optional<Item> image, Optional<BoundUpdate> update) {
        return update.flatMap(bound -> image.map(bound::updatedOnly))
                .filter(item -> !item.isEmpty());
    }
}
