package dev.tidemark.query.page;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.KeyConditionExpression;
import dev.tidemark.expressions.KeyConditions;
import dev.tidemark.expressions.KeyRange;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.expressions.legacy.LegacyTranslation;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.LegacyConditions;
import dev.tidemark.query.Messages;
import dev.tidemark.query.ProjectionParameters;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Query of a table, a local or a global index. */
final class QueryOperation implements Operation {

    private static final String KEY_CONDITION = "KeyConditionExpression";
    private static final String KEY_CONDITIONS = "KeyConditions";
    private static final String QUERY_FILTER = "QueryFilter";
    private static final List<String> EXPRESSIONS =
            List.of(ProjectionParameters.EXPRESSION, FilterParameters.EXPRESSION, KEY_CONDITION);
    private static final List<String> LEGACY =
            List.of(
                    ProjectionParameters.LEGACY,
                    QUERY_FILTER,
                    LegacyConditions.CONDITIONAL_OPERATOR,
                    KEY_CONDITIONS);

    private final TableFacts.Finder tables;
    private final PageReads reads;

    QueryOperation(Services services, TableFacts.Finder tables) {
        this.tables = tables;
        this.reads = new PageReads(services);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        CommonParameters common = CommonParameters.read(body);
        Optional<String> keyCondition = body.string(KEY_CONDITION);
        Optional<LegacyConditions> legacyKeys = LegacyConditions.read(body, KEY_CONDITIONS);
        FilterParameters filtering = FilterParameters.read(body, QUERY_FILTER);
        PartitionStores.Direction direction =
                body.bool("ScanIndexForward").orElse(true)
                        ? PartitionStores.Direction.FORWARD
                        : PartitionStores.Direction.REVERSE;
        ExpressionParameters parameters =
                ExpressionParameters.read(body, EXPRESSIONS, legacy(body));

        String name = Constraints.tableName(common.tableName());
        Constraints constraints = common.check(new Constraints());
        if (common.limit().filter(limit -> limit < 1).isPresent()) {
            constraints.report(
                    "Value at 'Limit' failed to satisfy constraint: Member must have value greater"
                            + " than or equal to 1");
        }
        legacyKeys.ifPresent(given -> given.check(constraints));
        filtering.check(constraints);
        constraints.check();
        parameters.checkCombination();
        List<AttributeCondition> filters = filtering.conditions();
        common.projection().checkNames();
        Optional<Item> cursor = common.cursor();
        if (keyCondition.isEmpty() && legacyKeys.isEmpty()) {
            throw ApiException.validation(Messages.NO_KEY_CONDITION);
        }
        common.checkSelect("1 validation error detected: ");
        Placeholders placeholders = parameters.placeholders();
        List<Expression> used = new ArrayList<>(3);
        Optional<BoundCondition> bound = filtering.bind(filters, placeholders, used);
        Optional<ProjectionExpression> projection = common.projection().parse(used);
        projection.ifPresent(parsed -> parsed.bind(placeholders));
        Optional<KeyConditions> bySyntax = keyCondition.map(text -> bind(text, placeholders, used));
        List<AttributeCondition> byParameter =
                legacyKeys.map(LegacyConditions::conditions).orElse(List.of());
        ExpressionParameters.requireAllUsed(placeholders, used);

        TableFacts facts = tables.find(name);
        Source source = Source.of(facts, common.indexName(), request);
        common.checkConsistency(source);
        cursor.ifPresent(source::checkQueryCursor);
        KeyRange range =
                bySyntax.orElseGet(() -> LegacyTranslation.keyConditions(byParameter))
                        .against(source.key());
        cursor.ifPresent(given -> checkCursor(source, given, range));
        projection.ifPresent(paths -> facts.requireScalarKeys(paths, placeholders));
        bound.ifPresent(condition -> filtering.requireNoKey(condition, source.key()));
        bound.ifPresent(facts::requireScalarKeys);
        CommonParameters.Shown shown = common.shown(source, projection, placeholders, bound);
        Freshness freshness = Freshness.of(request, facts.table(), common.consistent());

        int partition = source.partitionOf(range.partitionValues());
        if (!reads.isHere(request, source, partition)) {
            return reads.router().forward(source.partition(partition), source.pinned(request));
        }
        KeySpan span = Spans.of(source, range);
        PartitionRead read =
                new PartitionRead(
                        source,
                        partition,
                        cursor.map(source::entryKey)
                                .map(
                                        at ->
                                                direction == PartitionStores.Direction.FORWARD
                                                        ? span.after(at)
                                                        : span.before(at))
                                .orElse(span),
                        direction,
                        common.limit().orElse(PartitionRead.NO_LIMIT),
                        PartitionRead.PAGE_BYTES,
                        bound,
                        shown.output(),
                        shown.fetching());
        return reads.read(read, common.consistent(), freshness)
                .thenApply(page -> PageReads.reply(source, common, page, page.last()));
    }

    /** KeyConditions may stand beside expressions, if there is no expression for keys. */
    private static List<String> legacy(JsonBody body) {
        return body.has(KEY_CONDITION)
                ? LEGACY
                : LEGACY.stream().filter(name -> !name.equals(KEY_CONDITIONS)).toList();
    }

    private static KeyConditions bind(
            String text, Placeholders placeholders, List<Expression> used) {
        KeyConditionExpression parsed = KeyConditionExpression.parse(text);
        used.add(parsed);
        return parsed.bind(placeholders);
    }

    private static void checkCursor(Source source, Item cursor, KeyRange range) {
        PrimaryKey key = source.keyAt(cursor);
        if (source.isTable() && !source.key().hasSort()) {
            throw Messages.startKeyWithoutSort(cursor);
        }
        if (source.isTable() && range.sortEquals().size() == source.key().sort().size()) {
            throw ApiException.validation(Messages.START_KEY_ONE_ROW);
        }
        if (!key.partition().equals(range.partitionValues())) {
            throw ApiException.validation(Messages.START_KEY_OUTSIDE);
        }
        if (!range.contains(key)) {
            throw ApiException.validation(Messages.START_KEY_PREDICATE);
        }
    }
}
