package dev.tidemark.query.item;

import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.Expression;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
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
        Optional<String> condition = body.string(Conditions.EXPRESSION);
        WriteOptions options = WriteOptions.read(body);
        ExpressionParameters parameters = Conditions.parameters(body);

        String name = Constraints.tableName(tableName);
        options.check(new Constraints()).required("item", given).check();
        options.checkOldOnly();
        parameters.checkCombination();
        LegacyParameters.refuse(parameters.legacy());
        Item item = given.orElseThrow().item();
        Placeholders placeholders = parameters.placeholders();
        List<Expression> used = new ArrayList<>(1);
        Optional<ConditionExpression> parsed = Conditions.parse(condition, used);
        ExpressionParameters.requireAllUsed(placeholders, used);
        parsed.ifPresent(expression -> expression.bind(placeholders));

        TableFacts facts = tables.find(name);
        PrimaryKey key = facts.requirePut(item);
        parsed.ifPresent(
                expression ->
                        expression
                                .bind(placeholders)
                                .requireScalarKeys(
                                        facts.table().key(), facts.rules().indexKeyNames()));
        return writes.write(
                request,
                facts,
                key,
                new Write.PutItem(item, condition, placeholders),
                options,
                applied -> options.wants("ALL_OLD") ? applied.before() : Optional.empty());
    }
}
