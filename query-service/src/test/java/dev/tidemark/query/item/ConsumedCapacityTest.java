package dev.tidemark.query.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.TestTables;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What requests are said to have used, by DynamoDB's arithmetic. */
class ConsumedCapacityTest {

    private static final String KEY = "'sensor':{'S':'a'},'ts':{'N':'1'}";
    private static final String ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Readings";

    private final InMemoryTables tables = new InMemoryTables();

    @BeforeEach
    void define() {
        tables.define(TestTables.readings(2));
        tables.define(TestTables.simple());
    }

    static Stream<Arguments> writes() {
        String placed = KEY + ",'site':{'S':'x'},'level':{'N':'5'}";
        String alarmed = KEY + ",'alarm':{'S':'x'},'note':{'S':'n'}";
        return Stream.of(
                argumentSet("an item that no index has", "", put(KEY), use(1, 1, "", "")),
                argumentSet(
                        "a large item and its entries, each rounded",
                        "",
                        put(placed + large(1_500)),
                        use(
                                6,
                                2,
                                "'by-level':{'CapacityUnits':2.0}",
                                "'by-site':{'CapacityUnits':2.0}")),
                argumentSet(
                        "a small entry of a large item",
                        "",
                        put(alarmed + large(1_500)),
                        use(3, 2, "", "'by-alarm':{'CapacityUnits':1.0}")),
                argumentSet(
                        "an entry that stays the same",
                        put(alarmed),
                        put(alarmed + large(10)),
                        use(1, 1, "", "")),
                argumentSet(
                        "an entry that changes in place costs the larger image",
                        put(placed + large(2_500)),
                        put(placed),
                        use(
                                9,
                                3,
                                "'by-level':{'CapacityUnits':3.0}",
                                "'by-site':{'CapacityUnits':3.0}")),
                argumentSet(
                        "an entry that moves is removed and added",
                        put(placed + large(1_500)),
                        put(placed.replace("'x'", "'y'") + large(500)),
                        use(
                                7,
                                2,
                                "'by-level':{'CapacityUnits':2.0}",
                                "'by-site':{'CapacityUnits':3.0}")),
                argumentSet(
                        "an entry that goes costs its size",
                        put(placed + large(1_500)),
                        put(KEY),
                        use(
                                6,
                                2,
                                "'by-level':{'CapacityUnits':2.0}",
                                "'by-site':{'CapacityUnits':2.0}")),
                argumentSet(
                        "a deleted item costs its size",
                        put(placed + large(1_500)),
                        "DeleteItem {'Key':{" + KEY + "}",
                        use(
                                6,
                                2,
                                "'by-level':{'CapacityUnits':2.0}",
                                "'by-site':{'CapacityUnits':2.0}")),
                argumentSet(
                        "nothing deleted",
                        "",
                        "DeleteItem {'Key':{" + KEY + "}",
                        use(1, 1, "", "")),
                argumentSet(
                        "an update costs the larger item",
                        put(KEY + large(1_500)),
                        "UpdateItem {'Key':{" + KEY + "},'UpdateExpression':'REMOVE padding'",
                        use(2, 2, "", "")));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteCostsTheLargerImageOfTheItemAndOfEachEntry(
            String before, String write, String expected) {
        if (!before.isEmpty()) {
            ask(before + "}");
        }

        assertThat(ask(write + ",'ReturnConsumedCapacity':'INDEXES'}"))
                .isEqualTo(json("{'ConsumedCapacity':" + expected + "}"));
    }

    @Test
    void aBatchTellsTheSameWhereverItsItemsAre() {
        String puts =
                "BatchWriteItem {'RequestItems':{'Readings':["
                        + "{'PutRequest':{'Item':{"
                        + KEY
                        + ",'site':{'S':'x'},'level':{'N':'5'}"
                        + large(1_500)
                        + "}}},{'DeleteRequest':{'Key':{'sensor':{'S':'b'},'ts':{'N':'1'}}}}],"
                        + "'Simple':[{'PutRequest':{'Item':{'id':{'S':'c'}}}}]},"
                        + "'ReturnConsumedCapacity':'INDEXES','ReturnItemCollectionMetrics':'SIZE'}";
        String first = ask(puts);
        String again = ask(puts);
        assertThat(first)
                .contains(
                        json(
                                "'ConsumedCapacity':["
                                        + use(
                                                7,
                                                3,
                                                "'by-level':{'CapacityUnits':2.0}",
                                                "'by-site':{'CapacityUnits':2.0}")))
                .contains(json("{'TableName':'Simple','CapacityUnits':1.0"))
                .contains(
                        json(
                                "'ItemCollectionMetrics':{'Readings':[{'ItemCollectionKey':{'sensor':{'S':'a'}},"
                                        + "'SizeEstimateRangeGB':[0.0,1.0]}"));

        tables.route(new Elsewhere());

        assertThat(ask(puts)).isEqualTo(again);
    }

    @Test
    void totalsHaveNoArmsAndNoneIsNothing() {
        String item = "PutItem {'Item':{" + KEY + ",'site':{'S':'x'},'level':{'N':'5'}}";

        assertThat(ask(item + ",'ReturnConsumedCapacity':'TOTAL'}"))
                .isEqualTo(
                        json("{'ConsumedCapacity':{'TableName':'Readings','CapacityUnits':3.0}}"));
        assertThat(ask(item + ",'ReturnConsumedCapacity':'NONE'}")).isEqualTo("{}");
        assertThat(ask(item + ",'ReturnConsumedCapacity':'ALL'}"))
                .startsWith("ValidationException: 1 validation error detected: Value 'ALL'");
    }

    @Test
    void aTableIsCalledAsTheCallerCallsIt() {
        String named = "'CapacityUnits':1.0}";
        for (String request :
                new String[] {
                    "PutItem {'Item':{" + KEY + "}",
                    "GetItem {'ConsistentRead':true,'Key':{" + KEY + "}",
                    "Query {'ConsistentRead':true,'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':"
                            + "{':s':{'S':'a'}}"
                }) {
            String byArn = request.replaceFirst("\\{", "{'TableName':'" + ARN + "',");

            assertThat(
                            tables.ask(
                                            operation(byArn),
                                            json(
                                                    body(byArn)
                                                            + ",'ReturnConsumedCapacity':'TOTAL'}"))
                                    .text())
                    .as(request)
                    .contains(json("'ConsumedCapacity':{'TableName':'" + ARN + "'," + named));
        }
        String batch =
                "{'RequestItems':{'"
                        + ARN
                        + "':{'Keys':[{"
                        + KEY
                        + "}]}},'ReturnConsumedCapacity':'TOTAL'}";
        assertThat(tables.ask("BatchGetItem", json(batch)).text())
                .contains(json("'Responses':{'" + ARN + "':[{"))
                .contains(json("{'TableName':'" + ARN + "','CapacityUnits':0.5}"));
        assertThat(
                        tables.ask(
                                        "GetItem",
                                        json(
                                                "{'TableName':'"
                                                        + ARN
                                                        + "/index/by-site','Key':{"
                                                        + KEY
                                                        + "}}"))
                                .text())
                .startsWith("ValidationException");
    }

    /** Another node that shares the stores of this one. */
    private final class Elsewhere implements PartitionRouter {

        @Override
        public boolean isLocal(PartitionRef partition) {
            return false;
        }

        @Override
        public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
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

    private static String put(String attributes) {
        return "PutItem {'Item':{" + attributes + "}";
    }

    private static String large(int bytes) {
        return ",'padding':{'S':'" + "p".repeat(bytes) + "'}";
    }

    private static String use(int total, int table, String local, String global) {
        return "{'TableName':'Readings','CapacityUnits':"
                + total
                + ".0,'Table':{'CapacityUnits':"
                + table
                + ".0}"
                + (local.isEmpty() ? "" : ",'LocalSecondaryIndexes':{" + local + "}")
                + (global.isEmpty() ? "" : ",'GlobalSecondaryIndexes':{" + global + "}")
                + "}";
    }

    /** Asks what is written as the operation, a blank and the JSON, of the table Readings. */
    private String ask(String request) {
        String body = body(request);
        return tables.ask(
                        operation(request),
                        json(
                                operation(request).startsWith("Batch")
                                        ? body
                                        : body.replaceFirst("\\{", "{'TableName':'Readings',")))
                .text();
    }

    private static String operation(String request) {
        return request.substring(0, request.indexOf(' '));
    }

    private static String body(String request) {
        return request.substring(request.indexOf(' ') + 1);
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
