package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Compares an index with its table, entry for entry, by what any client can read: the index must
 * hold the projection of every item that has all of its key attributes, and nothing else. Keeps a
 * fingerprint of every entry, so a table much larger than the memory can't be compared.
 *
 * <p>Nothing may be written meanwhile.
 */
public final class IndexComparison {

    /** Stands for no entry; no fingerprint is it. */
    private static final long NOTHING = 0;

    private final Endpoint server;
    private final String table;

    public IndexComparison(Endpoint server, String table) {
        this.server = server;
        this.table = table;
    }

    /**
     * What a comparison found.
     *
     * @param items how many items the table holds
     * @param indexes what was found of each index
     */
    public record Result(long items, List<Found> indexes) {

        public Result {
            indexes = List.copyOf(indexes);
        }

        public boolean agrees() {
            return indexes.stream().allMatch(Found::agrees);
        }
    }

    /**
     * What was found of one index.
     *
     * @param index the index's name
     * @param expected entries the table asks for
     * @param equal entries that are as they should be
     * @param missing entries that should be there and are not
     * @param dangling entries that should not be there, or are there twice
     * @param different entries with other content than they should have
     */
    public record Found(
            String index, long expected, long equal, long missing, long dangling, long different) {

        public boolean agrees() {
            return missing == 0 && dangling == 0 && different == 0;
        }
    }

    private record Rule(
            String name, boolean local, List<String> keys, String projection, Set<String> others) {

        /** Returns what the index should hold of an item, or empty if nothing. */
        Optional<JsonNode> entryOf(JsonNode item, List<String> tableKeys) {
            if (!keys.stream().allMatch(item::has)) {
                return Optional.empty();
            }
            if (projection.equals("ALL")) {
                return Optional.of(item);
            }
            ObjectNode entry = Endpoint.JSON.createObjectNode();
            Set<String> kept = new LinkedHashSet<>(tableKeys);
            kept.addAll(keys);
            kept.addAll(others);
            kept.stream().filter(item::has).forEach(name -> entry.set(name, item.get(name)));
            return Optional.of(entry);
        }
    }

    /** Compares every index of the table, local ones first. */
    public Result compare() {
        JsonNode description =
                server.call(
                                "DescribeTable",
                                Endpoint.JSON.createObjectNode().put("TableName", table))
                        .path("Table");
        List<String> tableKeys = keysOf(description);
        List<Rule> rules = new ArrayList<>();
        description.path("LocalSecondaryIndexes").forEach(index -> rules.add(ruleOf(index, true)));
        description
                .path("GlobalSecondaryIndexes")
                .forEach(index -> rules.add(ruleOf(index, false)));
        Map<String, long[]> due = new HashMap<>();
        scan(
                request(true),
                item -> {
                    long[] prints = new long[rules.size()];
                    for (int at = 0; at < prints.length; at++) {
                        prints[at] =
                                rules.get(at)
                                        .entryOf(item, tableKeys)
                                        .map(IndexComparison::fingerprint)
                                        .orElse(NOTHING);
                    }
                    due.put(keyOf(item, tableKeys), prints);
                });
        List<Found> found = new ArrayList<>();
        for (int at = 0; at < rules.size(); at++) {
            found.add(compare(rules.get(at), tableKeys, due, at));
        }
        return new Result(due.size(), found);
    }

    /** Compares one index with what is due at {@code at} in {@code due}, and takes it out. */
    private Found compare(Rule rule, List<String> tableKeys, Map<String, long[]> due, int at) {
        long expected = count(due, at);
        Tally tally = new Tally();
        scan(
                request(rule.local()).put("IndexName", rule.name()),
                entry -> {
                    long[] prints = due.get(keyOf(entry, tableKeys));
                    if (prints == null || prints[at] == NOTHING) {
                        tally.dangling++;
                        return;
                    }
                    if (prints[at] == fingerprint(entry)) {
                        tally.equal++;
                    } else {
                        tally.different++;
                    }
                    prints[at] = NOTHING;
                });
        return new Found(
                rule.name(),
                expected,
                tally.equal,
                count(due, at),
                tally.dangling,
                tally.different);
    }

    private static long count(Map<String, long[]> due, int at) {
        return due.values().stream().filter(prints -> prints[at] != NOTHING).count();
    }

    private static final class Tally {
        private long equal;
        private long dangling;
        private long different;
    }

    private ObjectNode request(boolean consistent) {
        return Endpoint.JSON
                .createObjectNode()
                .put("TableName", table)
                .put("ConsistentRead", consistent);
    }

    private void scan(ObjectNode request, Consumer<JsonNode> each) {
        boolean more = true;
        while (more) {
            JsonNode page = server.call("Scan", request);
            page.path("Items").forEach(each);
            JsonNode last = page.path("LastEvaluatedKey");
            more = !last.isMissingNode();
            if (more) {
                request.set("ExclusiveStartKey", last);
            }
        }
    }

    private static Rule ruleOf(JsonNode index, boolean local) {
        JsonNode projection = index.path("Projection");
        Set<String> others = new LinkedHashSet<>();
        projection.path("NonKeyAttributes").forEach(name -> others.add(name.asText()));
        return new Rule(
                index.path("IndexName").asText(),
                local,
                keysOf(index),
                projection.path("ProjectionType").asText("ALL"),
                others);
    }

    private static List<String> keysOf(JsonNode described) {
        List<String> names = new ArrayList<>();
        described
                .path("KeySchema")
                .forEach(element -> names.add(element.path("AttributeName").asText()));
        return names;
    }

    private static String keyOf(JsonNode entry, List<String> tableKeys) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        tableKeys.forEach(name -> key.set(name, entry.path(name)));
        return key.toString();
    }

    private static long fingerprint(JsonNode entry) {
        StringBuilder text = new StringBuilder();
        write(entry, text);
        UUID digest = UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
        long print = digest.getMostSignificantBits() ^ digest.getLeastSignificantBits();
        return print == NOTHING ? 1 : print;
    }

    /** Writes JSON so that what is equal reads the same: members, and members of sets, sorted. */
    private static void write(JsonNode node, StringBuilder text) {
        if (node.isObject()) {
            Map<String, JsonNode> members = new TreeMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            members.forEach(
                    (name, value) -> {
                        text.append(Endpoint.JSON.getNodeFactory().textNode(name)).append(':');
                        boolean set = name.equals("SS") || name.equals("NS") || name.equals("BS");
                        writeList(value, set, text);
                    });
            text.append(';');
        } else if (node.isArray()) {
            writeList(node, false, text);
        } else {
            text.append(node);
        }
    }

    private static void writeList(JsonNode node, boolean sorted, StringBuilder text) {
        if (!node.isArray()) {
            write(node, text);
            return;
        }
        List<String> elements = new ArrayList<>();
        for (JsonNode element : node) {
            StringBuilder one = new StringBuilder();
            write(element, one);
            elements.add(one.toString());
        }
        if (sorted) {
            Collections.sort(elements);
        }
        text.append(elements);
    }
}
