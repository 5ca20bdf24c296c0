package dev.tidemark.query.item;

import dev.tidemark.expressions.BoundUpdate;
import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.UpdateExpression;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** UpdateItem. */
final class UpdateItemOperation implements Operation {

    private static final String UPDATE = "UpdateExpression";
    private static final List<String> LEGACY =
            List.of("AttributeUpdates", "Expected", "ConditionalOperator");

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
        Optional<String> update = body.string(UPDATE);
        Optional<String> condition = body.string(Conditions.EXPRESSION);
        WriteOptions options = WriteOptions.read(body);
        ExpressionParameters parameters =
                ExpressionParameters.read(body, List.of(UPDATE, Conditions.EXPRESSION), LEGACY);

        String name = Constraints.tableName(tableName);
        options.check(new Constraints()).required("key", given).check();
        parameters.checkCombination();
        LegacyParameters.refuse(parameters.legacy());
        Item keyItem = given.orElseThrow().item();
        Placeholders placeholders = parameters.placeholders();
        List<Expression> used = new ArrayList<>(2);
        Optional<UpdateExpression> parsedUpdate = update.map(UpdateExpression::parse);
        parsedUpdate.ifPresent(used::add);
        Optional<ConditionExpression> parsedCondition = Conditions.parse(condition, used);
        Optional<BoundUpdate> boundUpdate =
                parsedUpdate.map(expression -> expression.bind(placeholders));
        parsedCondition.ifPresent(expression -> expression.bind(placeholders));
        ExpressionParameters.requireAllUsed(placeholders, used);

        TableFacts facts = tables.find(name);
        PrimaryKey key = facts.requireKey(keyItem);
        boundUpdate.ifPresent(
                bound -> bound.requireNoKey(facts.table().key(), facts.rules().indexKeyNames()));
        parsedCondition.ifPresent(
                expression ->
                        expression
                                .bind(placeholders)
                                .requireScalarKeys(
                                        facts.table().key(), facts.rules().indexKeyNames()));
        return writes.write(
                request,
                facts,
                key,
                new Write.UpdateItem(keyItem, update, condition, placeholders),
                options,
                applied -> shown(options, applied, boundUpdate));
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
