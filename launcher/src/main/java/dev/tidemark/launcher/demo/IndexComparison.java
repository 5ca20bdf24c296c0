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
final class IndexComparison {

    private final Endpoint server;
    private final String table;

    IndexComparison(Endpoint server, String table) {
        this.server = server;
        this.table = table;
    }

    /**
     * What a comparison found.
     *
     * @param index the index's name
     * @param expected entries the table asks for
     * @param equal entries that are as they should be
     * @param missing entries that should be there and are not
     * @param dangling entries that should not be there, or are there twice
     * @param different entries with other content than they should have
     */
    record Found(
            String index, long expected, long equal, long missing, long dangling, long different) {

        boolean agrees() {
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
    List<Found> all() {
        JsonNode description =
                server.call(
                                "DescribeTable",
                                Endpoint.JSON.createObjectNode().put("TableName", table))
                        .path("Table");
        List<String> tableKeys = keysOf(description);
        List<Found> found = new ArrayList<>();
        for (JsonNode index : description.path("LocalSecondaryIndexes")) {
            found.add(compare(ruleOf(index, true), tableKeys));
        }
        for (JsonNode index : description.path("GlobalSecondaryIndexes")) {
            found.add(compare(ruleOf(index, false), tableKeys));
        }
        return found;
    }

    /** Returns how many items the table holds, by reading them. */
    long countItems() {
        long[] count = {0};
        scan(request(true), item -> count[0]++);
        return count[0];
    }

    private Found compare(Rule rule, List<String> tableKeys) {
        Map<String, UUID> expected = new HashMap<>();
        scan(
                request(true),
                item ->
                        rule.entryOf(item, tableKeys)
                                .ifPresent(
                                        entry ->
                                                expected.put(
                                                        keyOf(entry, tableKeys),
                                                        fingerprint(entry))));
        long all = expected.size();
        long[] counts = new long[3];
        scan(
                request(rule.local()).put("IndexName", rule.name()),
                entry -> {
                    UUID due = expected.remove(keyOf(entry, tableKeys));
                    counts[due == null ? 0 : due.equals(fingerprint(entry)) ? 1 : 2]++;
                });
        return new Found(rule.name(), all, counts[1], expected.size(), counts[0], counts[2]);
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

    private static UUID fingerprint(JsonNode entry) {
        StringBuilder text = new StringBuilder();
        write(entry, text);
        return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
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
