package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.testsupport.reference.Clause;
import dev.tidemark.testsupport.reference.ReferenceTable;
import dev.tidemark.testsupport.reference.Refusal;
import dev.tidemark.testsupport.reference.Shown;
import dev.tidemark.testsupport.reference.View;
import dev.tidemark.testsupport.reference.Wording;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Scans a table, or one of its indexes, while nobody writes it: in pages and segments of any
 * number. The order of partition keys is the server's; everything else is compared. Not
 * thread-safe.
 */
public final class ScanTrial {

    private static final List<Integer> LIMITS = List.of(1, 3, 10, 37, 1000);
    private static final List<Integer> SEGMENTS = List.of(1, 2, 3, 7);

    private final ReferenceTable table;
    private final View view;
    private final Exchange exchange;
    private final RandomValues values;
    private final RandomExpressions expressions;

    /** Begins a trial of what {@code view} shows. */
    public ScanTrial(Service service, ReferenceTable table, View view, long seed) {
        Random random = new Random(seed);
        this.table = table;
        this.view = view;
        this.exchange =
                new Exchange(
                        service,
                        "the scans of '" + view.index().name() + "' of seed " + seed,
                        random);
        this.values = new RandomValues(random);
        this.expressions = new RandomExpressions(values);
    }

    /** Returns how many requests were answered as expected. */
    public long requests() {
        return exchange.requests();
    }

    /** One Scan to its end. */
    private record Plan(
            Optional<Clause> filter, Shown shown, Optional<Integer> limit, boolean strong) {}

    /** What one segment showed. */
    private record Seen(List<Item> items, int count, int scanned) {}

    /**
     * Makes so many scans, each to its end.
     *
     * @throws Disagreement at the first answer that is not as expected
     */
    public void run(int scans) {
        for (int made = 0; made < scans; made++) {
            scan();
        }
    }

    private void scan() {
        Plan plan =
                new Plan(
                        values.chance(60)
                                ? Optional.empty()
                                : Optional.of(expressions.clause(near())),
                        shown(),
                        values.chance(60) ? Optional.of(values.one(LIMITS)) : Optional.empty(),
                        !view.index().isGlobal() && values.chance(50));
        try {
            view.requireSensible(plan.filter(), plan.shown());
        } catch (Refusal refusal) {
            exchange.expectRefusal("Scan", request(plan), refusal);
            return;
        }
        int segments = values.one(SEGMENTS);
        List<Item> shown = new ArrayList<>();
        int count = 0;
        int scanned = 0;
        for (int segment = 0; segment < segments; segment++) {
            Seen seen = segment(plan, segment, segments);
            shown.addAll(seen.items());
            count += seen.count();
            scanned += seen.scanned();
        }
        List<Item> passing =
                view.items().stream().filter(item -> view.passes(plan.filter(), item)).toList();
        List<Item> expected =
                passing.stream().flatMap(item -> view.shown(plan.shown(), item).stream()).toList();
        boolean agrees =
                scanned == view.items().size()
                        && count == passing.size()
                        && counted(shown).equals(counted(expected));
        if (!agrees) {
            throw new Disagreement(
                    "a scan in " + segments + " segments of '" + view.index().name() + "'",
                    "Expected "
                            + passing.size()
                            + " of "
                            + view.items().size()
                            + ": "
                            + difference(expected, shown),
                    "Scan",
                    request(plan).toString(),
                    count + " of " + scanned + ": " + difference(shown, expected));
        }
    }

    private Seen segment(Plan plan, int segment, int segments) {
        List<Item> items = new ArrayList<>();
        int count = 0;
        int scanned = 0;
        Optional<Item> cursor = Optional.empty();
        do {
            ObjectNode request = request(plan);
            if (segments > 1 || values.chance(20)) {
                request.put("Segment", segment).put("TotalSegments", segments);
            }
            cursor.ifPresent(start -> request.set("ExclusiveStartKey", exchange.items().of(start)));
            Exchange.Answer answer = exchange.expectAnswer("Scan", request);
            int pageScanned = answer.json().path("ScannedCount").asInt();
            List<Item> page =
                    plan.shown() instanceof Shown.Counted
                            ? List.of()
                            : answer.items(answer.json().path("Items"));
            cursor =
                    answer.json().has("LastEvaluatedKey")
                            ? Optional.of(answer.item(answer.json().path("LastEvaluatedKey")))
                            : Optional.empty();
            items.addAll(page);
            count += answer.json().path("Count").asInt();
            scanned += pageScanned;
            answer.requireThat(
                    scanned <= view.items().size(), "Expected only " + view.items().size());
            answer.requireThat(
                    plan.limit().isEmpty() || pageScanned <= plan.limit().get(),
                    "Expected a page within its limit");
            if (cursor.isPresent() && plan.filter().isEmpty() && showsKeys(plan)) {
                Item end = view.cursor(page.get(page.size() - 1));
                answer.requireItem("LastEvaluatedKey", Optional.of(end));
            }
            if (cursor.isEmpty() && showsKeys(plan)) {
                answer.requireThat(isOrdered(items), "Expected partitions whole and in order");
            }
        } while (cursor.isPresent());
        return new Seen(items, count, scanned);
    }

    private static boolean showsKeys(Plan plan) {
        return plan.shown() instanceof Shown.Projected || plan.shown() instanceof Shown.Whole;
    }

    /** Returns whether each partition's items follow each other in the order of the view. */
    private boolean isOrdered(List<Item> items) {
        Set<List<AttributeValue>> done = new HashSet<>();
        List<KeyAttribute> partition = view.index().partition();
        for (int at = 0; at < items.size(); at++) {
            boolean begins =
                    at == 0
                            || !key(partition, items.get(at))
                                    .equals(key(partition, items.get(at - 1)));
            if (begins && !done.add(key(partition, items.get(at)))) {
                return false;
            }
            if (!begins && view.compare(items.get(at - 1), items.get(at)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static List<AttributeValue> key(List<KeyAttribute> attributes, Item item) {
        return attributes.stream()
                .map(attribute -> item.attribute(attribute.name()).orElseThrow())
                .toList();
    }

    private ObjectNode request(Plan plan) {
        ObjectNode request = Exchange.object().put("TableName", table.shape().name());
        if (!view.index().name().isEmpty()) {
            request.put("IndexName", view.index().name());
        }
        if (plan.strong()) {
            request.put("ConsistentRead", true);
        }
        plan.limit().ifPresent(limit -> request.put("Limit", limit));
        Wording wording = new Wording(values.random());
        Reading.addFilter(plan.filter(), wording, request);
        Reading.addShown(plan.shown(), wording, request);
        exchange.addPlaceholders(wording, request);
        return request;
    }

    private Item near() {
        return view.items().isEmpty() ? Item.EMPTY : values.one(view.items());
    }

    private Shown shown() {
        return switch (values.below(8)) {
            case 0 -> new Shown.Whole();
            case 1 -> new Shown.Counted();
            case 2 -> expressions.parts(RandomValues.OTHERS);
            default -> new Shown.Projected();
        };
    }

    private static Map<Item, Long> counted(List<Item> items) {
        return items.stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static Set<Item> difference(List<Item> these, List<Item> those) {
        Set<Item> left = new HashSet<>(these);
        left.removeAll(new HashSet<>(those));
        return left;
    }
}
