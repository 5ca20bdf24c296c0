package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testsupport.trial.HostileBodies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a body holds, the node answers soon and blames the caller; {@code -Dtidemark.seed=...}
 * repeats a run.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HostileRequestsIT {

    private static final String TABLE = "Hostile";
    private static final int AT_ONCE = 32;

    /** No body may cost more than this, on a machine that has other work as well. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    /** What a good request of each operation looks like. */
    private record Good(String operation, String body) {}

    private static final List<Good> GOOD =
            List.of(
                    good(
                            "PutItem",
                            "'Item':{'pk':{'S':'p'},'sk':{'N':'1'},'a':{'S':'x'},'m':{'M':{'l':{'L':[{'BOOL':true},"
                                    + "{'NULL':true}]}}},'ns':{'NS':['1','2']},'bs':{'BS':['AA==']}},"
                                    + "'ConditionExpression':'attribute_not_exists(#a) OR m.l[0] = :v',"
                                    + "'ExpressionAttributeNames':{'#a':'a'},'ExpressionAttributeValues':{':v':{'BOOL':true}},"
                                    + "'ReturnValues':'ALL_OLD','ReturnConsumedCapacity':'INDEXES'"),
                    good(
                            "UpdateItem",
                            "'Key':{'pk':{'S':'p'},'sk':{'N':'1'}},'UpdateExpression':"
                                    + "'SET #a = if_not_exists(b, :v), m.l[1] = list_append(c, :l) REMOVE d ADD ns :n DELETE ss :s',"
                                    + "'ExpressionAttributeNames':{'#a':'a'},'ExpressionAttributeValues':{':v':{'S':'x'},"
                                    + "':l':{'L':[]},':n':{'NS':['1']},':s':{'SS':['a']}},'ReturnValues':'UPDATED_NEW'"),
                    good(
                            "UpdateItem",
                            "'Key':{'pk':{'S':'p'},'sk':{'N':'2'}},'AttributeUpdates':{'x':{'Action':'ADD','Value':{'N':'1'}}},"
                                    + "'Expected':{'y':{'ComparisonOperator':'NULL'},'z':{'Exists':false}},'ConditionalOperator':'AND'"),
                    good(
                            "DeleteItem",
                            "'Key':{'pk':{'S':'p'},'sk':{'N':'1'}},'ConditionExpression':'size(m) > :n',"
                                    + "'ExpressionAttributeValues':{':n':{'N':'1'}},'ReturnValues':'ALL_OLD'"),
                    good(
                            "GetItem",
                            "'Key':{'pk':{'S':'p'},'sk':{'N':'1'}},'ConsistentRead':true,'ProjectionExpression':'m.l[0],#b',"
                                    + "'ExpressionAttributeNames':{'#b':'b'}"),
                    good(
                            "Query",
                            "'IndexName':'gsi','KeyConditionExpression':'a = :a','FilterExpression':'contains(m, :a)',"
                                    + "'ExpressionAttributeValues':{':a':{'S':'x'}},'Limit':5,'ScanIndexForward':false,"
                                    + "'ExclusiveStartKey':{'a':{'S':'x'},'pk':{'S':'p'},'sk':{'N':'1'}},'Select':'ALL_ATTRIBUTES'"),
                    good(
                            "Query",
                            "'KeyConditions':{'pk':{'ComparisonOperator':'EQ','AttributeValueList':[{'S':'p'}]},"
                                    + "'sk':{'ComparisonOperator':'BETWEEN','AttributeValueList':[{'N':'1'},{'N':'2'}]}},"
                                    + "'QueryFilter':{'b':{'ComparisonOperator':'IN','AttributeValueList':[{'S':'p'}]}},"
                                    + "'AttributesToGet':['pk','b']"),
                    good(
                            "Scan",
                            "'Segment':0,'TotalSegments':2,'Limit':3,'FilterExpression':'sk IN (:a, :b)',"
                                    + "'ExpressionAttributeValues':{':a':{'N':'1'},':b':{'N':'2'}},"
                                    + "'ExclusiveStartKey':{'pk':{'S':'p'},'sk':{'N':'1'}},'ReturnConsumedCapacity':'TOTAL'"),
                    new Good(
                            "BatchWriteItem",
                            json(
                                    "{'RequestItems':{'Hostile':[{'PutRequest':{'Item':{'pk':{'S':'q'},'sk':{'N':'1'}}}},"
                                            + "{'DeleteRequest':{'Key':{'pk':{'S':'q'},'sk':{'N':'2'}}}}]},"
                                            + "'ReturnItemCollectionMetrics':'SIZE'}")),
                    new Good(
                            "BatchGetItem",
                            json(
                                    "{'RequestItems':{'Hostile':{'Keys':[{'pk':{'S':'q'},'sk':{'N':'1'}}],"
                                            + "'ProjectionExpression':'pk','ConsistentRead':true}}}")),
                    new Good(
                            "CreateTable", // of an attribute that is not defined: never a table
                            json(
                                    "{'TableName':'HostileToo','KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
                                            + "'AttributeDefinitions':[{'AttributeName':'other','AttributeType':'S'}],"
                                            + "'BillingMode':'PAY_PER_REQUEST','GlobalSecondaryIndexes':[{'IndexName':'gsi','KeySchema':"
                                            + "[{'AttributeName':'a','KeyType':'HASH'}],'Projection':{'ProjectionType':'INCLUDE',"
                                            + "'NonKeyAttributes':['b']}}],'Tags':[{'Key':'k','Value':'v'}]}")),
                    good("DescribeTable", "'a':1"),
                    good(
                            "UpdateTable",
                            "'BillingMode':'PROVISIONED','ProvisionedThroughput':{'ReadCapacityUnits':0,'WriteCapacityUnits':1}"),
                    new Good("ListTables", json("{'Limit':1,'ExclusiveStartTableName':'Ho'}")));

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static Wire wire() {
        return NODE.wire();
    }

    private static Good good(String operation, String members) {
        return new Good(operation, json("{'TableName':'" + TABLE + "'," + members + "}"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @BeforeAll
    static void create() {
        wire().create(
                        TableRequest.of(TABLE, "pk:S,sk:N")
                                .global("gsi", "a:S", "ALL")
                                .local("lsi", "pk:S,b:S", "KEYS_ONLY"));
    }

    @AfterAll
    static void theNodeLivesAndWorks() {
        assertThat(wire().get("/health/live").statusCode()).isEqualTo(200);
        assertThat(wire().get("/health/ready").statusCode()).isEqualTo(200);
        wire().put(TABLE, item("pk", "last", "sk", 1, "a", "last")).ok();
        assertThat(wire().call("Query", Items.query(TABLE, "gsi", "a = :0", "last")).ok().count())
                .isEqualTo(1);
        wire().call("DeleteTable", Items.request(TABLE)).ok();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatIsDamagedIsRefusedOrAnswered(long seed) {
        tryDamaged(Long.getLong("tidemark.seed", seed), 1_500);
    }

    @Test
    @Tag("slow")
    void whatIsDamagedIsRefusedOrAnsweredForLong() {
        tryDamaged(Long.getLong("tidemark.seed", System.nanoTime()), 100_000);
    }

    private static void tryDamaged(long seed, int requests) {
        Random random = new Random(seed);
        HostileBodies bodies = new HostileBodies(random);
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (int number = 0; number < requests; number++) {
            Good good = GOOD.get(random.nextInt(GOOD.size()));
            byte[] body = bodies.of(good.body());
            String name = "request " + number + " of seed " + seed;
            open.add(
                    wire().send(good.operation(), body)
                            .thenAccept(answer -> requireBlame(name, good, body, answer)));
            if (open.size() == AT_ONCE) {
                open.forEach(CompletableFuture::join);
                open.clear();
            }
        }
        open.forEach(CompletableFuture::join);
    }

    private static void requireBlame(String name, Good good, byte[] body, Wire.Answer answer) {
        assertThat(answer.status())
                .as(
                        () ->
                                name
                                        + ": "
                                        + good.operation()
                                        + " "
                                        + new String(body, StandardCharsets.UTF_8)
                                        + " was answered "
                                        + answer.body())
                .isIn(200, 400);
        assertThat(answer.status() == 200 || !answer.error().isEmpty()).as(name).isTrue();
    }

    static List<HostileBodies.Costly> costly() {
        return HostileBodies.costly(TABLE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("costly")
    void whatIsCostlyIsAnsweredOrRefusedSoon(HostileBodies.Costly costly) {
        long start = System.nanoTime();
        Wire.Answer answer = wire().call(costly.operation(), costly.body());
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(answer.status()).as(() -> answer.body().toString()).isIn(200, 400, 413);
        assertThat(took).isLessThan(BOUND);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 5})
    void aPositionIsOneOrIsRefused(long seed) {
        Random random = new Random(seed);
        String letters = "Hostile:0123456789,:,:,-+. \"eE";
        for (int number = 0; number < 200; number++) {
            StringBuilder token = new StringBuilder(random.nextBoolean() ? "Hostile:0:" : "");
            for (int more = random.nextInt(24); more >= 0; more--) {
                token.append(letters.charAt(random.nextInt(letters.length())));
            }
            Wire.Answer answer =
                    wire().call(
                                    "Query",
                                    Items.query(TABLE, "gsi", "a = :0", "x"),
                                    "x-tidemark-after",
                                    token.toString());
            // what is yet to come may be asked for; it does not come in time
            int refusal = token.toString().matches("Hostile:[01]:[0-9]+") ? 503 : 400;
            assertThat(answer.status()).as("seed %s: %s", seed, token).isIn(200, refusal);
        }
    }
}
