package dev.tidemark.query.page;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.LegacyConditions;
import dev.tidemark.query.Messages;
import dev.tidemark.query.ProjectionParameters;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Scan whose every parameter is right. A node that reads a partition for another makes the same
 * plan of the same request.
 *
 * @param common what Query has, too
 * @param source what is read
 * @param lowHash where the segment begins in hash order
 * @param highHash where it ends
 * @param bound the filter
 * @param shown what is shown
 * @param cursor where to go on
 * @param freshness how fresh the answer must be
 */
record ScanPlan(
        CommonParameters common,
        Source source,
        int lowHash,
        int highHash,
        Optional<BoundCondition> bound,
        CommonParameters.Shown shown,
        Optional<Item> cursor,
        Freshness freshness) {

    private static final int MOST_SEGMENTS = 1_000_000;
    private static final String SCAN_FILTER = "ScanFilter";
    private static final List<String> EXPRESSIONS =
            List.of(ProjectionParameters.EXPRESSION, FilterParameters.EXPRESSION);
    private static final List<String> LEGACY =
            List.of(
                    ProjectionParameters.LEGACY,
                    SCAN_FILTER,
                    LegacyConditions.CONDITIONAL_OPERATOR);

    /**
     * Makes the plan of a request.
     *
     * @throws ApiException if the request is not right
     */
    static ScanPlan of(Request request, TableFacts.Finder tables) {
        JsonBody body = request.json();
        CommonParameters common = CommonParameters.read(body);
        Optional<Integer> segment = body.integer("Segment");
        Optional<Integer> total = body.integer("TotalSegments");
        FilterParameters filtering = FilterParameters.read(body, SCAN_FILTER);
        ExpressionParameters parameters = ExpressionParameters.read(body, EXPRESSIONS, LEGACY);

        String name = Constraints.tableName(common.tableName());
        filtering
                .check(common.check(new Constraints()))
                .between("totalSegments", total, 1, MOST_SEGMENTS)
                .between("segment", segment, 0, MOST_SEGMENTS - 1)
                .between("limit", common.limit(), 1, Integer.MAX_VALUE)
                .check();
        parameters.checkCombination();
        List<AttributeCondition> filters = filtering.conditions();
        common.projection().checkNames();
        Optional<Item> cursor = common.cursor();
        checkSegments(segment, total);
        common.checkSelect("");
        Placeholders placeholders = parameters.placeholders();
        List<Expression> used = new ArrayList<>(2);
        Optional<BoundCondition> bound = filtering.bind(filters, placeholders, used);
        Optional<ProjectionExpression> projection = common.projection().parse(used);
        projection.ifPresent(parsed -> parsed.bind(placeholders));
        ExpressionParameters.requireAllUsed(placeholders, used);

        TableFacts facts = tables.find(name);
        Source source = Source.of(facts, common.indexName(), request);
        common.checkConsistency(source);
        int segments = total.orElse(1);
        int low = hashOf(segment.orElse(0), segments);
        int high = hashOf(segment.orElse(0) + 1, segments);
        cursor.ifPresent(given -> source.checkScanCursor(given));
        cursor.ifPresent(given -> checkSegment(source, given, low, high, segment, total));
        projection.ifPresent(paths -> facts.requireScalarKeys(paths, placeholders));
        bound.ifPresent(facts::requireScalarKeys);
        return new ScanPlan(
                common,
                source,
                low,
                high,
                bound,
                common.shown(source, projection, placeholders, bound),
                cursor,
                Freshness.of(request, facts.table(), common.consistent()));
    }

    /** Returns the first partition to read. */
    int firstPartition() {
        return cursor.map(given -> source.partitionOf(source.keyAt(given).partition())).orElse(0);
    }

    /** Returns the read of one partition. */
    PartitionRead partitionRead(int partition, int limit, long budget) {
        KeySpan span = Spans.ofHashes(source, lowHash, highHash);
        return new PartitionRead(
                source,
                partition,
                cursor.filter(given -> partition == firstPartition())
                        .map(source::entryKey)
                        .map(span::after)
                        .orElse(span),
                PartitionStores.Direction.FORWARD,
                limit,
                budget,
                bound,
                shown.output(),
                shown.fetching());
    }

    private static int hashOf(int segment, int segments) {
        return (int) ((long) StorageKeys.HASHES * segment / segments);
    }

    private static void checkSegments(Optional<Integer> segment, Optional<Integer> total) {
        if (segment.isPresent() && total.isEmpty()) {
            throw ApiException.validation(Messages.SEGMENT_WITHOUT_TOTAL);
        }
        if (total.isPresent() && segment.isEmpty()) {
            throw ApiException.validation(Messages.TOTAL_WITHOUT_SEGMENT);
        }
        if (segment.isPresent() && segment.get() >= total.orElse(1)) {
            throw Messages.segmentTooHigh(segment.get(), total.orElse(1));
        }
    }

    private static void checkSegment(
            Source source,
            Item cursor,
            int low,
            int high,
            Optional<Integer> segment,
            Optional<Integer> total) {
        int hash = Partitioning.hash16(Partitioning.recordKey(source.keyAt(cursor).partition()));
        if (hash < low || hash >= high) {
            throw Messages.startKeyOfAnotherSegment(segment.orElse(0), total.orElse(1));
        }
    }
}
