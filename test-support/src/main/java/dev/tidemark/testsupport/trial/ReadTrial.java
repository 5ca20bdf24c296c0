package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.testsupport.reference.Capacity;
import dev.tidemark.testsupport.reference.Clause;
import dev.tidemark.testsupport.reference.IndexShape;
import dev.tidemark.testsupport.reference.KeyWish;
import dev.tidemark.testsupport.reference.Page;
import dev.tidemark.testsupport.reference.Query;
import dev.tidemark.testsupport.reference.ReferenceTable;
import dev.tidemark.testsupport.reference.Refusal;
import dev.tidemark.testsupport.reference.Relation;
import dev.tidemark.testsupport.reference.Shown;
import dev.tidemark.testsupport.reference.View;
import dev.tidemark.testsupport.reference.Wording;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Queries a table, or one of its indexes, at random while nobody writes it, follows cursors to the
 * end, and compares every page. Not thread-safe.
 */
public final class ReadTrial {

    private static final List<Integer> LIMITS = List.of(1, 2, 3, 5, 7, 20, 1000);

    private final ReferenceTable table;
    private final View view;
    private final Exchange exchange;
    private final RandomValues values;
    private final RandomExpressions expressions;

    /** Begins a trial of what {@code view} shows. */
    public ReadTrial(Service service, ReferenceTable table, View view, long seed) {
        Random random = new Random(seed);
        this.table = table;
        this.view = view;
        this.exchange =
                new Exchange(
                        service,
                        "the queries of '" + view.index().name() + "' of seed " + seed,
                        random);
        this.values = new RandomValues(random);
        this.expressions = new RandomExpressions(values);
    }

    /** Returns how many requests were answered as expected. */
    public long requests() {
        return exchange.requests();
    }

    /**
     * Makes so many queries, each to its end.
     *
     * @throws Disagreement at the first answer that is not as expected
     */
    public void run(int queries) {
        for (int made = 0; made < queries; made++) {
            query();
        }
    }

    private void query() {
        Optional<Item> near = near();
        Query query = query(near);
        if (values.chance(10)) {
            query = query.from(inventedCursor(query, near));
        }
        boolean strong = !view.index().isGlobal() && values.chance(50);
        Optional<Item> next = page(query, strong);
        while (next.isPresent()) {
            next = page(query.from(next.get()), strong);
        }
    }

    /** Sends one request; returns the cursor of the page. */
    private Optional<Item> page(Query query, boolean strong) {
        ObjectNode request = Exchange.object().put("TableName", table.shape().name());
        if (!view.index().name().isEmpty()) {
            request.put("IndexName", view.index().name());
        }
        if (strong) {
            request.put("ConsistentRead", true);
        }
        if (!query.forward() || values.chance(20)) {
            request.put("ScanIndexForward", query.forward());
        }
        query.limit().ifPresent(limit -> request.put("Limit", limit));
        query.start()
                .ifPresent(start -> request.set("ExclusiveStartKey", exchange.items().of(start)));
        Wording wording = new Wording(values.random());
        request.put("KeyConditionExpression", keyCondition(query, wording));
        Reading.addFilter(query.filter(), wording, request);
        Reading.addShown(query.shown(), wording, request);
        exchange.addPlaceholders(wording, request);
        Optional<String> capacity = values.chance(25) ? Optional.of("INDEXES") : Optional.empty();
        capacity.ifPresent(detail -> request.put("ReturnConsumedCapacity", detail));

        Page expected;
        try {
            requireRestartable(query);
            expected = view.page(query);
        } catch (Refusal refusal) {
            exchange.expectRefusal("Query", request, refusal);
            return Optional.empty();
        }
        Exchange.Answer answer = exchange.expectAnswer("Query", request);
        answer.requireNumber("Count", expected.count());
        answer.requireNumber("ScannedCount", expected.scanned());
        if (query.shown() instanceof Shown.Counted) {
            answer.requireThat(!answer.json().has("Items"), "Expected no items");
        } else {
            answer.requireItems(answer.json().path("Items"), expected.items());
        }
        answer.requireItem("LastEvaluatedKey", expected.last());
        answer.requireCapacity(
                answer.json().path("ConsumedCapacity"),
                capacity,
                table.shape(),
                Capacity.ofReading(view.index(), expected, strong));
        return expected.last();
    }

    /** A cursor must be one of the query; one that finds one item at most has none. */
    private void requireRestartable(Query query) {
        if (query.isMistaken()) {
            throw Refusal.invalid("");
        }
        boolean isOne =
                query.sort().size() == 1
                        && query.sort().get(0) instanceof KeyWish.Related related
                        && related.relation() == Relation.EQ;
        if (query.start().isPresent() && isOne && view.index().kind() == IndexShape.Kind.TABLE) {
            throw Refusal.invalid("");
        }
        if (query.start().isPresent()) {
            requireWithin(query, query.start().get());
        }
    }

    private void requireWithin(Query query, Item start) {
        List<KeyAttribute> partition = view.index().partition();
        for (int at = 0; at < partition.size(); at++) {
            AttributeValue value = start.attribute(partition.get(at).name()).orElseThrow();
            if (!value.equals(query.partition().get(at))) {
                throw Refusal.invalid("outside query boundaries");
            }
        }
        for (int at = 0; at < query.sort().size(); at++) {
            String name = view.index().sort().get(at).name();
            if (!query.sort().get(at).admits(start.attribute(name).orElseThrow())) {
                throw Refusal.invalid("does not match the range key predicate");
            }
        }
    }

    private String keyCondition(Query query, Wording wording) {
        List<String> parts = new ArrayList<>();
        IndexShape index = view.index();
        for (int at = 0; at < index.partition().size(); at++) {
            KeyWish wish =
                    new KeyWish.Related(Relation.EQ, query.partition().get(at), values.chance(20));
            parts.add(wish.text(index.partition().get(at), wording));
        }
        for (int at = 0; at < query.sort().size(); at++) {
            parts.add(query.sort().get(at).text(index.sort().get(at), wording));
        }
        Collections.shuffle(parts, values.random());
        return String.join(" " + wording.keyword("AND") + " ", parts);
    }

    /** Returns an item of the view, from whose keys queries are made; often there is one. */
    private Optional<Item> near() {
        return view.items().isEmpty() || values.chance(5)
                ? Optional.empty()
                : Optional.of(values.one(view.items()));
    }

    private AttributeValue keyValue(KeyAttribute attribute, Optional<Item> near) {
        return near.flatMap(item -> item.attribute(attribute.name()))
                .orElseGet(() -> values.key(attribute.type()));
    }

    private Query query(Optional<Item> near) {
        IndexShape index = view.index();
        List<AttributeValue> partition =
                index.partition().stream().map(each -> keyValue(each, near)).toList();
        List<KeyWish> sort = new ArrayList<>();
        int wishes = index.sort().isEmpty() ? 0 : values.below(index.sort().size() + 1);
        for (int at = 0; at < wishes; at++) {
            KeyAttribute attribute = index.sort().get(at);
            AttributeValue value = keyValue(attribute, near.filter(item -> values.chance(80)));
            boolean isLast = at == wishes - 1;
            sort.add(
                    isLast
                            ? wish(attribute, value)
                            : new KeyWish.Related(Relation.EQ, value, values.chance(20)));
        }
        return new Query(
                partition,
                sort,
                values.chance(50),
                values.chance(60) ? Optional.of(values.one(LIMITS)) : Optional.empty(),
                filter(near),
                shown(),
                Optional.empty());
    }

    private Optional<Clause> filter(Optional<Item> near) {
        if (values.chance(60)) {
            return Optional.empty();
        }
        // most filters spare the keys, so that they are not refused
        List<String> keys = view.index().key().stream().map(KeyAttribute::name).toList();
        for (int tries = 0; tries < 5; tries++) {
            Clause filter = expressions.clause(near.orElse(Item.EMPTY));
            if (filter.paths().stream().noneMatch(path -> keys.contains(path.attribute()))) {
                return Optional.of(filter);
            }
        }
        return Optional.of(expressions.clause(near.orElse(Item.EMPTY)));
    }

    private Shown shown() {
        return switch (values.below(8)) {
            case 0 -> new Shown.Whole();
            case 1 -> new Shown.Counted();
            case 2 ->
                    expressions.parts(
                            List.copyOf(
                                    view.index()
                                            .included()
                                            .map(names -> carried())
                                            .orElse(RandomValues.OTHERS)));
            default -> new Shown.Projected();
        };
    }

    private List<String> carried() {
        return view.index().keyNames(table.shape()).stream().sorted().toList();
    }

    private KeyWish wish(KeyAttribute attribute, AttributeValue value) {
        int kind = values.below(7);
        if (kind == 5) {
            AttributeValue other = values.key(attribute.type());
            return Relation.compare(value, other) <= 0
                    ? new KeyWish.Between(value, other)
                    : new KeyWish.Between(other, value);
        }
        if (kind == 6 && attribute.type() != KeyType.N) {
            return new KeyWish.BeginsWith(value);
        }
        Relation relation =
                values.one(
                        List.of(Relation.EQ, Relation.LT, Relation.LE, Relation.GT, Relation.GE));
        return new KeyWish.Related(relation, value, values.chance(20));
    }

    /** Returns a cursor that may be where nothing is, and need not suit the query. */
    private Item inventedCursor(Query query, Optional<Item> near) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (KeyAttribute attribute : table.shape().primary().key()) {
            attributes.put(attribute.name(), values.key(attribute.type()));
        }
        for (KeyAttribute attribute : view.index().sort()) {
            attributes.put(
                    attribute.name(), keyValue(attribute, near.filter(item -> values.chance(50))));
        }
        if (values.chance(90)) {
            for (int at = 0; at < query.partition().size(); at++) {
                attributes.put(view.index().partition().get(at).name(), query.partition().get(at));
            }
        } else {
            for (KeyAttribute attribute : view.index().partition()) {
                attributes.put(attribute.name(), values.key(attribute.type()));
            }
        }
        return new Item(attributes);
    }
}
