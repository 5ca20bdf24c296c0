package dev.tidemark.query.page;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ItemOutput;
import dev.tidemark.query.Messages;
import dev.tidemark.query.ProjectionParameters;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.page.PartitionRead.Fetching;
import dev.tidemark.query.table.Tags;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What Query and Scan have in common, its shape right.
 *
 * @param tableName TableName
 * @param indexName IndexName
 * @param limit Limit
 * @param select Select
 * @param capacity ReturnConsumedCapacity
 * @param consistent ConsistentRead
 * @param startKey ExclusiveStartKey
 * @param projection the attributes wanted
 */
record CommonParameters(
        Optional<String> tableName,
        Optional<String> indexName,
        Optional<Integer> limit,
        Optional<String> select,
        Optional<String> capacity,
        boolean consistent,
        Optional<JsonItem> startKey,
        ProjectionParameters projection) {

    private static final List<String> SELECT =
            List.of("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES");

    /** What is shown of each entry, and what it must be completed for from the table. */
    record Shown(Optional<ItemOutput> output, Fetching fetching) {}

    static CommonParameters read(JsonBody body) {
        return new CommonParameters(
                body.string("TableName"),
                body.string("IndexName"),
                body.integer("Limit"),
                body.string("Select"),
                body.string("ReturnConsumedCapacity"),
                body.bool("ConsistentRead").orElse(false),
                body.item("ExclusiveStartKey"),
                ProjectionParameters.read(body));
    }

    Constraints check(Constraints constraints) {
        constraints
                .oneOf("select", select, SELECT)
                .indexName(indexName)
                .oneOf("returnConsumedCapacity", capacity, CapacityUse.DETAILS);
        projection.check(constraints);
        return constraints;
    }

    /**
     * Checks that Select and what else is asked for agree.
     *
     * @param specificPrefix what comes before the text about a missing projection
     */
    void checkSelect(String specificPrefix) {
        Optional<String> projected = projection.given();
        String chosen = select.orElse("");
        if (chosen.equals("SPECIFIC_ATTRIBUTES") && projected.isEmpty()) {
            throw ApiException.validation(specificPrefix + Messages.SPECIFIC_WITHOUT_PROJECTION);
        }
        if (!chosen.isEmpty() && !chosen.equals("SPECIFIC_ATTRIBUTES") && projected.isPresent()) {
            throw Messages.projectionWithSelect(projected.get(), chosen);
        }
        if (chosen.equals("ALL_PROJECTED_ATTRIBUTES") && indexName.isEmpty()) {
            throw ApiException.validation(Messages.PROJECTED_WITHOUT_INDEX);
        }
    }

    /** Returns the cursor; its content is right, but it may not suit the table. */
    Optional<Item> cursor() {
        return startKey.map(
                given -> new Item(given.values((name, e) -> Messages.invalidStartKeyValue(e))));
    }

    /** Refuses a strong read of what has none. */
    void checkConsistency(Source source) {
        if (consistent
                && source.global().isPresent()
                && !Tags.allowConsistentReadsOfGlobalIndexes(source.table())) {
            throw ApiException.validation(Messages.CONSISTENT_READ_OF_GLOBAL_INDEX);
        }
    }

    /**
     * Returns what to show of each entry.
     *
     * @throws ApiException a ValidationException if a global index lacks what is asked for
     */
    Shown shown(
            Source source,
            Optional<ProjectionExpression> parsed,
            Placeholders placeholders,
            Optional<BoundCondition> bound) {
        ItemOutput output = projection.output(parsed, placeholders);
        boolean wantsAll = select.filter("ALL_ATTRIBUTES"::equals).isPresent();
        Collection<String> wanted = output.names().orElse(List.of());
        List<String> missing = notCovered(source, wanted);
        boolean isWhole = source.projection() instanceof Projection.All;
        if (source.global().isPresent()) {
            String name = source.global().get().name().value();
            if (wantsAll && !isWhole) {
                throw Messages.allAttributesOfGlobalIndex(name);
            }
            if (!missing.isEmpty()) {
                throw Messages.notProjected(name, missing);
            }
        }
        Fetching fetching = Fetching.NOTHING;
        if (source.local().isPresent() && !isWhole) {
            if (wantsAll || !missing.isEmpty()) {
                fetching = Fetching.FILTER_AND_OUTPUT;
            } else if (bound.isPresent()
                    && !notCovered(source, bound.get().attributeNames()).isEmpty()) {
                fetching = Fetching.FILTER;
            }
        }
        boolean counts = select.filter("COUNT"::equals).isPresent();
        return new Shown(counts ? Optional.empty() : Optional.of(output), fetching);
    }

    private static List<String> notCovered(Source source, Collection<String> names) {
        List<String> keyNames = source.keyNames();
        return names.stream().filter(name -> !source.projection().covers(name, keyNames)).toList();
    }
}
