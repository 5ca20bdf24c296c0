package dev.tidemark.query.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.InMemoryTables.Answer;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.TestTables;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the page size, the direction and the index, following cursors shows each item once. */
class PagingTest {

    private static final int PARTITIONS = 3;

    private final InMemoryTables tables = new InMemoryTables();

    @BeforeEach
    void define() {
        tables.define(TestTables.readings(PARTITIONS));
    }

    static Stream<Arguments> reads() {
        List<Arguments> reads = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            for (int limit : new int[] {1, 2, 3, 7, 1000}) {
                for (boolean forward : new boolean[] {true, false}) {
                    reads.add(Arguments.of(seed, limit, forward));
                }
            }
        }
        return reads.stream();
    }

    @ParameterizedTest(name = "seed {0}, limit {1}, forward {2}")
    @MethodSource("reads")
    void everyQueryShowsEachItemOnce(int seed, int limit, boolean forward) {
        // Given
        List<Item> all = fill(seed, 60);
        String direction = ",'ScanIndexForward':" + forward;

        // Then
        for (String sensor : List.of("a", "ab", "b\u0000")) {
            String values = "'ExpressionAttributeValues':{':s':" + string(sensor) + "}";
            String query = "'KeyConditionExpression':'sensor = :s'," + values + direction;
            assertThat(follow("Query", query, limit))
                    .isEqualTo(keysOf(all, "sensor", sensor, forward));
            assertThat(follow("Query", query + ",'IndexName':'by-quality'", limit))
                    .containsExactlyInAnyOrderElementsOf(
                            keysOf(having(all, "quality"), "sensor", sensor, true));
            assertThat(follow("Query", query + ",'IndexName':'by-level'", limit))
                    .containsExactlyInAnyOrderElementsOf(
                            keysOf(having(all, "level"), "sensor", sensor, true));
        }
        for (String site : List.of("x", "y")) {
            String query =
                    "'IndexName':'by-site','KeyConditionExpression':'site = :s',"
                            + "'ExpressionAttributeValues':{':s':{'S':'"
                            + site
                            + "'}}"
                            + direction;
            assertThat(follow("Query", query, limit))
                    .containsExactlyInAnyOrderElementsOf(
                            keysOf(having(all, "level"), "site", site, true));
        }
        String alarms =
                "'IndexName':'by-alarm','KeyConditionExpression':'alarm = :s',"
                        + "'ExpressionAttributeValues':{':s':{'S':'hot'}}"
                        + direction;
        assertThat(follow("Query", alarms, limit))
                .containsExactlyInAnyOrderElementsOf(keysOf(all, "alarm", "hot", true));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1000})
    void everyScanShowsEachItemOnceInWholeAndInSegments(int limit) {
        // Given
        List<Item> all = fill(4, 60);

        // Then
        assertThat(follow("Scan", "'Select':'ALL_ATTRIBUTES'", limit))
                .containsExactlyInAnyOrderElementsOf(all.stream().map(PagingTest::key).toList());
        for (String index : List.of("by-quality", "by-level", "by-site", "by-alarm", "by-kind")) {
            List<String> whole = follow("Scan", "'IndexName':'" + index + "'", limit);
            assertThat(new HashSet<>(whole)).as(index).hasSameSizeAs(whole).isNotEmpty();
            for (int total : new int[] {1, 3, 100_000}) {
                List<String> parts = new ArrayList<>();
                for (int segment = 0; segment < Math.min(total, 3); segment++) {
                    parts.addAll(
                            follow(
                                    "Scan",
                                    "'IndexName':'%s','Segment':%d,'TotalSegments':%d"
                                            .formatted(index, segment, total),
                                    limit));
                }
                if (total <= 3) {
                    assertThat(parts).as(index).containsExactlyInAnyOrderElementsOf(whole);
                }
            }
        }
    }

    @Test
    void aScanShowsEachPartitionKeysItemsTogetherAndInOrder() {
        // Given
        fill(5, 60);

        // When
        List<String> keys = follow("Scan", "'Select':'ALL_ATTRIBUTES'", 7);

        // Then
        List<String> sensors =
                keys.stream().map(key -> key.substring(0, key.indexOf('|'))).toList();
        Set<String> finished = new HashSet<>();
        for (int at = 1; at < sensors.size(); at++) {
            if (!sensors.get(at).equals(sensors.get(at - 1))) {
                assertThat(finished.add(sensors.get(at - 1))).isTrue();
                assertThat(finished).doesNotContain(sensors.get(at));
            }
        }
    }

    @Test
    void aCursorThatMatchesNoItemGoesOnStrictlyBehindItsPlace() {
        // Given
        put("a", "1", "'site':{'S':'x'},'level':{'N':'1'}");
        put("a", "3", "'site':{'S':'x'},'level':{'N':'1'}");
        put("b", "3", "'site':{'S':'x'},'level':{'N':'1'}");

        // When
        List<String> after =
                keysIn(
                        ask(
                                "Query",
                                "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}},"
                                        + "'ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'N':'2'}}"));
        List<String> before =
                keysIn(
                        ask(
                                "Query",
                                "'IndexName':'by-site','ScanIndexForward':false,'KeyConditionExpression':'site = :s',"
                                        + "'ExpressionAttributeValues':{':s':{'S':'x'}},"
                                        + "'ExclusiveStartKey':{'site':{'S':'x'},'level':{'N':'1'},'sensor':{'S':'a'},'ts':{'N':'9'}}"));

        // Then
        assertThat(after).containsExactly("a|3");
        assertThat(before).containsExactly("a|3", "a|1");
    }

    @Test
    void aCursorOfAnotherSegmentIsRefused() {
        // Given
        put("a", "1", "'v':{'N':'1'}");

        // When
        long refused =
                Stream.of(0, 1)
                        .map(
                                segment ->
                                        ask(
                                                        "Scan",
                                                        "'Segment':%d,'TotalSegments':2,'ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'N':'1'}}"
                                                                .formatted(segment))
                                                .text())
                        .filter(
                                text ->
                                        text.contains(
                                                "correct Segment. TotalSegments: 2 Segment: "))
                        .count();

        // Then
        assertThat(refused).isEqualTo(1);
    }

    @Test
    void partitionsOfOtherNodesAreReadThereAndTheAnswerIsTheSame() {
        // Given
        fill(6, 60);
        List<String> here = follow("Scan", "'IndexName':'by-site'", 4);
        Answer query =
                ask(
                        "Query",
                        "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}}");

        // When
        Elsewhere elsewhere = new Elsewhere();
        tables.route(elsewhere);

        // Then
        assertThat(follow("Scan", "'IndexName':'by-site'", 4)).isEqualTo(here);
        assertThat(elsewhere.forwarded).contains("Tidemark.ScanPartition");
        elsewhere.forwarded.clear();
        assertThat(
                        ask(
                                        "Query",
                                        "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}}")
                                .text())
                .isEqualTo(query.text());
        assertThat(elsewhere.forwarded).containsExactly("Query");
        put("forwarded", "1", "'v':{'N':'1'}");
        assertThat(
                        tables.ask(
                                        "BatchGetItem",
                                        json(
                                                "{'RequestItems':{'Readings':{'Keys':[{'sensor':{'S':'forwarded'},'ts':{'N':'1'}}]}}}"))
                                .text())
                .contains(json("'v':{'N':'1'}"));
        assertThat(
                        tables.ask(
                                        "BatchWriteItem",
                                        json(
                                                "{'RequestItems':{'Readings':[{'DeleteRequest':{'Key':{'sensor':{'S':'forwarded'},'ts':{'N':'1'}}}}]}}"))
                                .text())
                .isEqualTo("{\"UnprocessedItems\":{}}");
        assertThat(ask("GetItem", "'Key':{'sensor':{'S':'forwarded'},'ts':{'N':'1'}}").text())
                .isEqualTo("{}");
    }

    @Test
    void aWriteToANodeThatDoesNotAnswerIsUnprocessed() {
        // Given
        tables.route(
                new PartitionRouter() {
                    @Override
                    public boolean isLocal(PartitionRef partition) {
                        return partition.partition() == 0;
                    }

                    @Override
                    public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
                        return CompletableFuture.failedFuture(
                                new ApiException(ApiError.SERVICE_UNAVAILABLE, "gone"));
                    }
                });
        StringBuilder puts = new StringBuilder();
        for (int sensor = 0; sensor < 20; sensor++) {
            puts.append(sensor == 0 ? "" : ",")
                    .append(
                            "{'PutRequest':{'Item':{'sensor':{'S':'%d'},'ts':{'N':'1'}}}}"
                                    .formatted(sensor));
        }

        // When
        Answer answer =
                tables.ask("BatchWriteItem", json("{'RequestItems':{'Readings':[" + puts + "]}}"));

        // Then
        int left =
                answer.json()
                        .flatMap(body -> body.objectListMap("UnprocessedItems", "WriteRequest"))
                        .map(byTable -> byTable.values().iterator().next().size())
                        .orElse(0);
        assertThat(left).isBetween(1, 19);
        assertThat(tables.appended()).isEqualTo(20 - left);
    }

    /** Another node that shares the stores of this one: every partition but 0 is there. */
    private final class Elsewhere implements PartitionRouter {

        private final List<String> forwarded = new ArrayList<>();

        @Override
        public boolean isLocal(PartitionRef partition) {
            return false;
        }

        @Override
        public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
            forwarded.add(request.operation());
            return tables.execute(
                    new Request(
                            request.operation(),
                            request.body(),
                            name ->
                                    name.equals(PartitionRouter.FORWARDED)
                                            ? Optional.of("other")
                                            : request.header(name)));
        }
    }

    /** Puts items with many equal index keys and returns them, in the order of their keys. */
    private List<Item> fill(int seed, int count) {
        Random random = new Random(seed);
        Set<String> seen = new HashSet<>();
        for (int number = 0; number < count; number++) {
            String sensor = List.of("a", "ab", "b\u0000").get(random.nextInt(3));
            String ts = Integer.toString(random.nextInt(41) - 20);
            StringBuilder attributes = new StringBuilder("'v':{'N':'1'}");
            if (random.nextInt(4) > 0) {
                attributes.append(",'quality':{'S':'" + "gb".charAt(random.nextInt(2)) + "'}");
            }
            attributes.append(",'site':{'S':'" + "xy".charAt(random.nextInt(2)) + "'}");
            if (random.nextInt(4) > 0) {
                attributes.append(",'level':{'N':'" + random.nextInt(3) + "'}");
            }
            if (random.nextInt(3) == 0) {
                attributes.append(",'alarm':{'S':'hot'}");
            }
            if (random.nextBoolean()) {
                attributes.append(",'kind':{'S':'k'}");
            }
            if (seen.add(sensor + "|" + ts)) {
                put(sensor, ts, attributes.toString());
            }
        }
        List<Item> all = new ArrayList<>();
        for (JsonItem item :
                ask("Scan", "'Select':'ALL_ATTRIBUTES'")
                        .json()
                        .flatMap(body -> body.items("Items"))
                        .orElseThrow()) {
            all.add(item.item());
        }
        assertThat(all).hasSameSizeAs(seen);
        return all;
    }

    private void put(String sensor, String ts, String attributes) {
        String item =
                "'Item':{'sensor':"
                        + string(sensor)
                        + ",'ts':{'N':'"
                        + ts
                        + "'},"
                        + attributes
                        + "}";
        assertThat(ask("PutItem", item).text()).isEqualTo("{}");
    }

    /** Follows the cursors from page to page and returns the keys of all items shown. */
    private List<String> follow(String operation, String parameters, int limit) {
        List<String> keys = new ArrayList<>();
        String start = "";
        for (int page = 0; page < 10_000; page++) {
            Answer answer = ask(operation, parameters + ",'Limit':" + limit + start);
            keys.addAll(keysIn(answer));
            Optional<JsonItem> last = answer.json().flatMap(body -> body.item("LastEvaluatedKey"));
            if (last.isEmpty()) {
                return keys;
            }
            JsonWriter out = new JsonWriter();
            out.item(last.get().item());
            start = ",'ExclusiveStartKey':" + new String(out.toByteArray(), StandardCharsets.UTF_8);
        }
        throw new AssertionError("The cursors come to no end");
    }

    private static List<String> keysIn(Answer answer) {
        assertThat(answer.json()).as(answer.text()).isPresent();
        JsonBody body = answer.json().orElseThrow();
        return body.items("Items").orElseThrow().stream()
                .map(JsonItem::item)
                .map(PagingTest::key)
                .toList();
    }

    private static String key(Item item) {
        return text(item, "sensor") + "|" + text(item, "ts");
    }

    private static List<Item> having(List<Item> items, String attribute) {
        return items.stream().filter(item -> item.get(attribute) != null).toList();
    }

    private static List<String> keysOf(
            List<Item> items, String attribute, String value, boolean forward) {
        List<String> keys =
                new ArrayList<>(
                        items.stream()
                                .filter(item -> text(item, attribute).equals(value))
                                .map(PagingTest::key)
                                .toList());
        if (!forward) {
            Collections.reverse(keys);
        }
        return keys;
    }

    private static String text(Item item, String attribute) {
        Object value = item.get(attribute);
        if (value instanceof AttributeValue.S string) {
            return string.value();
        }
        return value instanceof AttributeValue.N number ? number.value().text() : "";
    }

    private static String string(String value) {
        return "{'S':'" + value.replace("\u0000", "\\u0000") + "'}";
    }

    private Answer ask(String operation, String parameters) {
        return tables.ask(operation, json("{'TableName':'Readings'," + parameters + "}"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
