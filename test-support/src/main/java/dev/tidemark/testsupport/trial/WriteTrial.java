package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.testsupport.reference.Capacity;
import dev.tidemark.testsupport.reference.Clause;
import dev.tidemark.testsupport.reference.ItemPath;
import dev.tidemark.testsupport.reference.ReferenceTable;
import dev.tidemark.testsupport.reference.Refusal;
import dev.tidemark.testsupport.reference.Shown;
import dev.tidemark.testsupport.reference.Update;
import dev.tidemark.testsupport.reference.Wording;
import dev.tidemark.testsupport.reference.Written;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes and reads items that nobody else writes, at random, and compares every answer. Not
 * thread-safe. Long for its requests, one method for each operation.
 */
public final class WriteTrial {

    private static final List<String> OLD_ONLY = List.of("NONE", "ALL_OLD");
    private static final List<String> RETURN_VALUES =
            List.of("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW");
    private static final int SORT_KEYS = 40;

    private final ReferenceTable table;
    private final List<String> partitionKeys;
    private final Exchange exchange;
    private final RandomValues values;
    private final RandomExpressions expressions;

    /**
     * Begins a trial.
     *
     * @param partitionKeys the partition key values of the items that are this one's
     */
    public WriteTrial(
            Service service, ReferenceTable table, List<String> partitionKeys, long seed) {
        Random random = new Random(seed);
        this.table = table;
        this.partitionKeys = List.copyOf(partitionKeys);
        this.exchange =
                new Exchange(
                        service, "the writes to " + partitionKeys + " of seed " + seed, random);
        this.values = new RandomValues(random);
        this.expressions = new RandomExpressions(values);
    }

    /** Returns how many requests were answered as expected. */
    public long requests() {
        return exchange.requests();
    }

    /**
     * Makes so many requests.
     *
     * @throws Disagreement at the first answer that is not as expected
     */
    public void run(int requests) {
        for (int made = 0; made < requests; made++) {
            int kind = values.below(100);
            if (kind < 32) {
                put(values.item(key()));
            } else if (kind < 68) {
                update();
            } else if (kind < 78) {
                delete();
            } else if (kind < 82) {
                batchWrite();
            } else if (kind < 86) {
                batchGet();
            } else {
                get();
            }
        }
    }

    /** Puts items so large that a page holds few of them, under one partition key. */
    public void putLarge(int items, int bytes) {
        String partitionKey = partitionKeys.get(0);
        for (int made = 0; made < items; made++) {
            Map<String, AttributeValue> attributes =
                    new LinkedHashMap<>(values.item(key(partitionKey, made)).attributes());
            attributes.put("y", new AttributeValue.S("y".repeat(bytes + values.below(bytes))));
            put(new Item(attributes));
        }
    }

    private Item key() {
        return key(values.one(partitionKeys), values.below(SORT_KEYS));
    }

    private static Item key(String partitionKey, int number) {
        // not only whole numbers: halves from -10 on
        String sortKey = number % 2 == 0 ? "" + (number / 2 - 10) : (number / 2 - 10) + ".5";
        return new Item(
                Map.of(
                        "s0",
                        new AttributeValue.S(partitionKey),
                        "n0",
                        new AttributeValue.N(Decimal.parse(sortKey))));
    }

    private Optional<Item> stored(Item key) {
        return table.get(table.shape().keyOf(key));
    }

    private void put(Item item) {
        ObjectNode request = request();
        Item sent = values.chance(1) ? broken(item) : item;
        request.set("Item", exchange.items().of(sent));
        Item current = stored(item).orElse(Item.EMPTY);
        Optional<Clause> condition = condition(current);
        Wording wording = new Wording(values.random());
        addCondition(condition, wording, request);
        exchange.addPlaceholders(wording, request);
        String shows = values.one(OLD_ONLY);
        request.put("ReturnValues", shows);
        write(
                "PutItem",
                request,
                item,
                () -> table.put(sent, condition),
                written -> shows.equals("ALL_OLD") ? written.before() : Optional.empty());
    }

    private void delete() {
        ObjectNode request = request();
        Item key = key();
        Item sent = values.chance(1) ? broken(key) : key;
        request.set("Key", exchange.items().of(sent));
        Optional<Clause> condition = condition(stored(key).orElse(Item.EMPTY));
        Wording wording = new Wording(values.random());
        addCondition(condition, wording, request);
        exchange.addPlaceholders(wording, request);
        String shows = values.one(OLD_ONLY);
        request.put("ReturnValues", shows);
        write(
                "DeleteItem",
                request,
                key,
                () -> table.delete(sent, condition),
                written -> shows.equals("ALL_OLD") ? written.before() : Optional.empty());
    }

    private void update() {
        ObjectNode request = request();
        Item key = key();
        Item sent = values.chance(1) ? broken(key) : key;
        request.set("Key", exchange.items().of(sent));
        Item current = stored(key).orElse(Item.EMPTY);
        Optional<Clause> condition = condition(current);
        Optional<Update> update =
                values.chance(4) ? Optional.empty() : Optional.of(expressions.update(current));
        Wording wording = new Wording(values.random());
        addCondition(condition, wording, request);
        update.ifPresent(changes -> request.put("UpdateExpression", changes.text(wording)));
        exchange.addPlaceholders(wording, request);
        String shows = values.one(RETURN_VALUES);
        request.put("ReturnValues", shows);
        write(
                "UpdateItem",
                request,
                key,
                () -> table.update(sent, update, condition),
                written -> shown(shows, written, update));
    }

    private static Optional<Item> shown(String shows, Written written, Optional<Update> update) {
        List<ItemPath> paths = update.map(Update::paths).orElse(List.of());
        return switch (shows) {
            case "ALL_OLD" -> written.before();
            case "ALL_NEW" -> written.after();
            case "UPDATED_OLD" -> updated(written.before(), paths);
            case "UPDATED_NEW" -> updated(written.after(), paths);
            default -> Optional.empty();
        };
    }

    private static Optional<Item> updated(Optional<Item> image, List<ItemPath> paths) {
        return image.map(item -> Shown.parts(item, paths)).filter(item -> !item.isEmpty());
    }

    private interface Change {
        Written make();
    }

    private interface Showing {
        Optional<Item> of(Written written);
    }

    private void write(
            String operation, ObjectNode request, Item key, Change change, Showing showing) {
        Optional<String> capacity = capacity();
        capacity.ifPresent(detail -> request.put("ReturnConsumedCapacity", detail));
        if (values.chance(30)) {
            request.put("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
        }
        Written written;
        try {
            written = change.make();
        } catch (Refusal refusal) {
            exchange.expectRefusal(operation, request, refusal);
            return;
        }
        Exchange.Answer answer = exchange.expectAnswerOrDoubt(operation, request);
        if (answer.isInDoubt()) {
            settle(key, written);
            return;
        }
        answer.requireItem("Attributes", showing.of(written));
        answer.requireCapacity(
                answer.json().path("ConsumedCapacity"),
                capacity,
                table.shape(),
                Capacity.of(table.shape(), written));
    }

    /** Finds out whether a write was applied of which the server does not know. */
    private void settle(Item item, Written written) {
        Item key = table.shape().keyOf(item);
        ObjectNode request = request().put("ConsistentRead", true);
        request.set("Key", exchange.items().of(key));
        Exchange.Answer answer = exchange.expectAnswer("GetItem", request);
        Optional<Item> found =
                answer.json().has("Item")
                        ? Optional.of(answer.item(answer.json().path("Item")))
                        : Optional.empty();
        answer.requireThat(
                found.equals(written.before()) || found.equals(written.after()),
                "Expected the item as it was or as it was to be");
        table.settle(key, found);
    }

    private void get() {
        Item key = key();
        Item sent = values.chance(1) ? broken(key) : key;
        ObjectNode request = request().put("ConsistentRead", true);
        request.set("Key", exchange.items().of(sent));
        Optional<Shown.Parts> parts = parts();
        Wording wording = new Wording(values.random());
        addProjection(parts, wording, request);
        exchange.addNames(wording, request);
        Optional<String> capacity = capacity();
        capacity.ifPresent(detail -> request.put("ReturnConsumedCapacity", detail));
        Optional<Item> found;
        try {
            requireSensible(parts);
            found = table.get(sent);
        } catch (Refusal refusal) {
            exchange.expectRefusal("GetItem", request, refusal);
            return;
        }
        Exchange.Answer answer = exchange.expectAnswer("GetItem", request);
        answer.requireItem("Item", found.map(item -> shown(parts, item)));
        answer.requireCapacity(
                answer.json().path("ConsumedCapacity"),
                capacity,
                table.shape(),
                new Capacity(Capacity.ofReading(found, true), Map.of()));
    }

    private void batchGet() {
        Map<String, Item> keys = new TreeMap<>();
        for (int more = values.below(12); more >= 0; more--) {
            Item key = key();
            keys.put(key.attributes().toString(), key);
        }
        ObjectNode request = Exchange.object();
        ObjectNode wanted =
                request.putObject("RequestItems")
                        .putObject(table.shape().name())
                        .put("ConsistentRead", true);
        ArrayNode list = wanted.putArray("Keys");
        keys.values().forEach(key -> list.add(exchange.items().of(key)));
        Optional<Shown.Parts> parts = parts();
        Wording wording = new Wording(values.random());
        addProjection(parts, wording, wanted);
        exchange.addNames(wording, wanted);
        try {
            requireSensible(parts);
        } catch (Refusal refusal) {
            exchange.expectRefusal("BatchGetItem", request, refusal);
            return;
        }
        Exchange.Answer answer = exchange.expectAnswer("BatchGetItem", request);
        Map<Item, Long> expected =
                keys.values().stream()
                        .flatMap(key -> table.get(key).stream())
                        .map(item -> shown(parts, item))
                        .collect(Collectors.groupingBy(item -> item, Collectors.counting()));
        Map<Item, Long> found =
                answer.items(answer.json().path("Responses").path(table.shape().name())).stream()
                        .collect(Collectors.groupingBy(item -> item, Collectors.counting()));
        answer.requireThat(found.equals(expected), "Expected " + expected);
        answer.requireThat(answer.json().path("UnprocessedKeys").isEmpty(), "Expected all");
    }

    private void batchWrite() {
        Map<String, Item> puts = new LinkedHashMap<>();
        Map<String, Item> deletes = new LinkedHashMap<>();
        for (int more = values.below(12); more >= 0; more--) {
            Item key = key();
            String text = key.attributes().toString();
            if (puts.containsKey(text) || deletes.containsKey(text)) {
                continue;
            }
            if (values.chance(70)) {
                puts.put(text, values.item(key));
            } else {
                deletes.put(text, key);
            }
        }
        ObjectNode request = Exchange.object();
        ArrayNode list = request.putObject("RequestItems").putArray(table.shape().name());
        puts.values()
                .forEach(
                        item ->
                                list.addObject()
                                        .putObject("PutRequest")
                                        .set("Item", exchange.items().of(item)));
        deletes.values()
                .forEach(
                        key ->
                                list.addObject()
                                        .putObject("DeleteRequest")
                                        .set("Key", exchange.items().of(key)));
        List<Item> all = new ArrayList<>(puts.values());
        if (values.chance(2)) {
            Item twice = puts.isEmpty() ? deletes.values().iterator().next() : all.get(0);
            list.addObject()
                    .putObject("DeleteRequest")
                    .set("Key", exchange.items().of(table.shape().keyOf(twice)));
        }
        try {
            all.forEach(table::requireStorable);
            if (list.size() > puts.size() + deletes.size()) {
                throw Refusal.invalid("contains duplicates");
            }
        } catch (Refusal refusal) {
            exchange.expectRefusal("BatchWriteItem", request, refusal);
            return;
        }
        Map<Item, Written> written = new LinkedHashMap<>();
        puts.values().forEach(item -> written.put(item, table.put(item, Optional.empty())));
        deletes.values().forEach(key -> written.put(key, table.delete(key, Optional.empty())));
        Exchange.Answer answer = exchange.expectAnswerOrDoubt("BatchWriteItem", request);
        if (answer.isInDoubt() || !answer.json().path("UnprocessedItems").isEmpty()) {
            written.forEach(this::settle);
        }
    }

    private ObjectNode request() {
        return Exchange.object().put("TableName", table.shape().name());
    }

    private Optional<String> capacity() {
        if (values.chance(75)) {
            return Optional.empty();
        }
        return Optional.of(values.chance(80) ? "INDEXES" : "TOTAL");
    }

    /** Returns the item with a key that can't be one. */
    private Item broken(Item item) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(item.attributes());
        switch (values.below(4)) {
            case 0 -> attributes.remove("n0");
            case 1 -> attributes.put("n0", new AttributeValue.S("1"));
            case 2 -> attributes.put("s0", new AttributeValue.S(""));
            default -> attributes.put("s0", new AttributeValue.S("k".repeat(2049)));
        }
        return new Item(attributes);
    }

    private Optional<Clause> condition(Item current) {
        return values.chance(40) ? Optional.of(expressions.clause(current)) : Optional.empty();
    }

    private static void addCondition(
            Optional<Clause> condition, Wording wording, ObjectNode request) {
        condition.ifPresent(clause -> request.put("ConditionExpression", clause.text(wording)));
    }

    private Optional<Shown.Parts> parts() {
        return values.chance(40)
                ? Optional.of(expressions.parts(RandomValues.OTHERS))
                : Optional.empty();
    }

    private static void requireSensible(Optional<Shown.Parts> parts) {
        if (parts.filter(Shown.Parts::isMistaken).isPresent()) {
            throw Refusal.invalid("");
        }
    }

    private static void addProjection(
            Optional<Shown.Parts> parts, Wording wording, ObjectNode request) {
        parts.ifPresent(shown -> Reading.addProjection(shown, wording, request));
    }

    private static Item shown(Optional<Shown.Parts> parts, Item item) {
        return parts.map(shown -> shown.of(item)).orElse(item);
    }
}
