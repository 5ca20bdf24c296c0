package dev.tidemark.query.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.InMemoryTables.Answer;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.TestTables;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.read.Freshness;
import dev.tidemark.query.read.IndexFreshness;
import dev.tidemark.query.read.PositionToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryAndScanTest {

    private final InMemoryTables tables = new InMemoryTables(Duration.ofMillis(200));

    @BeforeEach
    void define() {
        tables.define(TestTables.readings(3));
        tables.define(TestTables.simple());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ts = :a | 2 |  | 2",
                "ts < :a | 2 |  | -0.7,-0.6,0",
                "ts <= :a | 2 |  | -0.7,-0.6,0,2",
                "ts > :a | 2 |  | 10",
                ":a < ts | 0 |  | 2,10",
                "ts >= :a | -0.6 |  | -0.6,0,2,10",
                "ts BETWEEN :a AND :b | -0.65 | 2.0 | -0.6,0,2",
            })
    void sortKeyConditionsFollowTheOrderOfNumbers(
            String condition, String low, String high, String expected) {
        // Given
        for (String ts : List.of("10", "0", "-0.6", "2", "-0.7")) {
            put("'sensor':{'S':'a'},'ts':{'N':'" + ts + "'}");
            put("'sensor':{'S':'ab'},'ts':{'N':'" + ts + "'}");
        }
        String values =
                "':s':{'S':'a'},':a':{'N':'"
                        + low
                        + "'}"
                        + (high == null ? "" : ",':b':{'N':'" + high + "'}");
        String query =
                "'KeyConditionExpression':'sensor = :s AND "
                        + condition
                        + "','ExpressionAttributeValues':{"
                        + values
                        + "}";

        // Then
        assertThat(numbers(ask("Query", query), "ts")).isEqualTo(List.of(expected.split(",")));
        List<String> backwards = numbers(ask("Query", query + ",'ScanIndexForward':false"), "ts");
        assertThat(backwards).hasSameElementsAs(List.of(expected.split(",")));
        assertThat(backwards.get(0)).isEqualTo(last(expected));
    }

    @Test
    void beginsWithOnALocalIndex() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'quality':{'S':'good'}");
        put("'sensor':{'S':'a'},'ts':{'N':'2'},'quality':{'S':'gone'}");
        put("'sensor':{'S':'a'},'ts':{'N':'3'},'quality':{'S':'bad'}");
        put("'sensor':{'S':'a'},'ts':{'N':'4'}");

        // When
        Answer answer =
                ask(
                        "Query",
                        "'IndexName':'by-quality','ConsistentRead':true,"
                                + "'KeyConditionExpression':'sensor = :s AND begins_with(quality, :q)',"
                                + "'ExpressionAttributeValues':{':s':{'S':'a'},':q':{'S':'go'}}");

        // Then
        assertThat(numbers(answer, "ts")).containsExactly("2", "1");
    }

    @Test
    void aLocalIndexShowsItsKeysAndFetchesTheRestWhenAsked() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'quality':{'S':'good'},'note':{'S':'n'}");
        String query =
                "'IndexName':'by-quality','KeyConditionExpression':'sensor = :s',"
                        + "'ExpressionAttributeValues':{':s':{'S':'a'}}";

        // Then
        assertThat(ask("Query", query).text())
                .startsWith(
                        json(
                                "{'Items':[{'sensor':{'S':'a'},'ts':{'N':'1'},'quality':{'S':'good'}}]"));
        assertThat(ask("Query", query + ",'Select':'ALL_ATTRIBUTES'").text()).contains("note");
        assertThat(ask("Query", query + ",'ProjectionExpression':'note'").text())
                .startsWith(json("{'Items':[{'note':{'S':'n'}}]"));
        assertThat(
                        ask(
                                        "Query",
                                        query
                                                + ",'ProjectionExpression':'note','ReturnConsumedCapacity':'INDEXES'")
                                .text())
                .endsWith(
                        json(
                                "'ConsumedCapacity':{'TableName':'Readings','CapacityUnits':1.0,"
                                        + "'Table':{'CapacityUnits':0.5},"
                                        + "'LocalSecondaryIndexes':{'by-quality':{'CapacityUnits':0.5}}}}"));
    }

    @Test
    void aSparseIndexShowsItsProjection() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'alarm':{'S':'hot'},'note':{'S':'n'},'x':{'S':'x'}");
        put("'sensor':{'S':'b'},'ts':{'N':'1'},'note':{'S':'n'}");
        String query =
                "'IndexName':'by-alarm','KeyConditionExpression':'alarm = :a',"
                        + "'ExpressionAttributeValues':{':a':{'S':'hot'}}";

        // When
        Answer queried = ask("Query", query);
        Answer scanned = ask("Scan", "'IndexName':'by-alarm'");

        // Then
        String item = "{'sensor':{'S':'a'},'ts':{'N':'1'},'alarm':{'S':'hot'},'note':{'S':'n'}}";
        assertThat(queried.text())
                .isEqualTo(json("{'Items':[" + item + "],'Count':1,'ScannedCount':1}"));
        assertThat(scanned.text()).isEqualTo(queried.text());
        assertThat(queried.headers().get(IndexFreshness.LAG)).isEqualTo("changes=0;ms=0");
        assertThat(ask("Query", query + ",'Select':'ALL_ATTRIBUTES'").text())
                .isEqualTo(
                        "ValidationException: One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index by-alarm because its projection type is not ALL");
        assertThat(ask("Query", query + ",'ProjectionExpression':'x'").text())
                .isEqualTo(
                        "ValidationException: One or more parameter values were invalid: Global secondary index by-alarm does not project [x]");
    }

    @Test
    void aKeyOfSeveralAttributesIsUsedFromLeftToRight() {
        // Given
        for (int ts = 0; ts < 6; ts++) {
            put(
                    "'sensor':{'S':'s%d'},'ts':{'N':'%d'},'site':{'S':'x'},'kind':{'S':'k'},'level':{'N':'%d'}"
                            .formatted(ts, ts, ts % 2));
        }
        String values = "':x':{'S':'x'},':k':{'S':'k'},':l':{'N':'1'},':t':{'N':'3'}";

        // When
        Answer answer =
                ask(
                        "Query",
                        "'IndexName':'by-kind','KeyConditionExpression':'#l = :l AND kind = :k AND ts >= :t AND site = :x',"
                                + "'ExpressionAttributeNames':{'#l':'level'},"
                                + "'ExpressionAttributeValues':{"
                                + values
                                + "}");

        // Then
        assertThat(numbers(answer, "ts")).containsExactly("3", "5");
    }

    @Test
    void filtersRunAfterTheLimitAndACursorIsGivenThough() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'}");
        put("'sensor':{'S':'a'},'ts':{'N':'2'}");

        // When
        Answer answer =
                ask(
                        "Scan",
                        "'Limit':1,'FilterExpression':'ts > :n','ExpressionAttributeValues':{':n':{'N':'9'}}");

        // Then
        assertThat(answer.text())
                .isEqualTo(
                        json(
                                "{'Items':[],'Count':0,'ScannedCount':1,'LastEvaluatedKey':{'sensor':{'S':'a'},'ts':{'N':'1'}}}"));
    }

    @Test
    void aLimitReachedAtTheLastItemStillGivesACursorAndTheNextPageIsEmpty() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'}");
        String query =
                "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}}";

        // Then
        assertThat(ask("Query", query + ",'Limit':1").text()).contains("LastEvaluatedKey");
        assertThat(
                        ask(
                                        "Query",
                                        query
                                                + ",'ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'N':'1'}}")
                                .text())
                .isEqualTo(json("{'Items':[],'Count':0,'ScannedCount':0}"));
        assertThat(ask("Query", query + ",'Limit':2").text()).doesNotContain("LastEvaluatedKey");
    }

    @Test
    void aFilterOnWhatALocalIndexLacksLooksAtTheItemAndShowsTheEntry() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'quality':{'S':'q'},'note':{'S':'n'}");
        put("'sensor':{'S':'a'},'ts':{'N':'2'},'quality':{'S':'q'},'note':{'S':'o'}");

        // Then
        assertThat(
                        ask(
                                        "Query",
                                        "'IndexName':'by-quality','KeyConditionExpression':'sensor = :s',"
                                                + "'FilterExpression':'note = :n',"
                                                + "'ExpressionAttributeValues':{':s':{'S':'a'},':n':{'S':'n'}}")
                                .text())
                .isEqualTo(
                        json(
                                "{'Items':[{'sensor':{'S':'a'},'ts':{'N':'1'},'quality':{'S':'q'}}],"
                                        + "'Count':1,'ScannedCount':2}"));
    }

    @Test
    void countingShowsNoItems() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'}");

        // Then
        assertThat(ask("Scan", "'Select':'COUNT'").text())
                .isEqualTo(json("{'Count':1,'ScannedCount':1}"));
    }

    @Test
    void anEmptyIndexReadBackwardsIsNoError() {
        assertThat(
                        ask(
                                        "Query",
                                        "'IndexName':'by-site','ScanIndexForward':false,'KeyConditionExpression':'site = :s',"
                                                + "'ExpressionAttributeValues':{':s':{'S':'a'}}")
                                .text())
                .isEqualTo(json("{'Items':[],'Count':0,'ScannedCount':0}"));
    }

    @Test
    void aPageEndsAtOneMegabyteButHasOneItemAtLeast() {
        // Given
        for (int ts = 0; ts < 9; ts++) {
            put(
                    "'sensor':{'S':'a'},'ts':{'N':'%d'},'pad':{'S':'%s'}"
                            .formatted(ts, "x".repeat(300_000)));
        }
        String query =
                "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}}";

        // When
        Answer first = ask("Query", query);
        Answer scanned = ask("Scan", "'Select':'COUNT'");

        // Then
        assertThat(first.json().orElseThrow().integer("Count")).contains(4);
        assertThat(first.text()).contains("LastEvaluatedKey");
        assertThat(scanned.text()).contains(json("'Count':4")).contains("LastEvaluatedKey");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Query | 'IndexName':'nothing' ,'KeyConditionExpression':'a = :a','ExpressionAttributeValues':{':a':{'S':'a'}} | The table does not have the specified index: nothing",
                "Query | 'Limit':1 | Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
                "Query | 'Limit':0 | 1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
                "Scan | 'Limit':0 | 1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
                "Scan | 'Select':'all' | 1 validation error detected: Value 'all' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
                "Scan | 'Select':'SPECIFIC_ATTRIBUTES' | Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
                "Scan | 'Select':'COUNT','ProjectionExpression':'a' | Cannot specify the ProjectionExpression when choosing to get only the Count",
                "Scan | 'IndexName':'by-site','ConsistentRead':true | Consistent reads are not supported on global secondary indexes",
                "Scan | 'Segment':0 | The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
                "Scan | 'TotalSegments':2 | The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
                "Scan | 'Segment':2,'TotalSegments':2 | The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2",
                "Scan | 'ExclusiveStartKey':{'sensor':{'S':'a'}} | The provided starting key is invalid: The provided key element does not match the schema",
                "Scan | 'ExclusiveStartKey':{'sensor':{}} | The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "Query | 'KeyConditionExpression':'ts = :a','ExpressionAttributeValues':{':a':{'N':'1'}} | Query condition missed key schema element: sensor",
                "Query | 'KeyConditionExpression':'sensor > :a','ExpressionAttributeValues':{':a':{'S':'1'}} | Query key condition not supported",
                "Query | 'KeyConditionExpression':'sensor = :a','FilterExpression':'ts = :a','ExpressionAttributeValues':{':a':{'S':'1'}} | Filter Expression can only contain non-primary key attributes: Primary key attribute: ts",
                "Query | 'KeyConditionExpression':'sensor = :a','ExpressionAttributeValues':{':a':{'S':'1'}},'ExclusiveStartKey':{'sensor':{'S':'2'},'ts':{'N':'1'}} | The provided starting key is outside query boundaries based on provided conditions",
                "Query | 'KeyConditionExpression':'sensor = :a AND ts > :b','ExpressionAttributeValues':{':a':{'S':'1'},':b':{'N':'5'}},'ExclusiveStartKey':{'sensor':{'S':'1'},'ts':{'N':'1'}} | The provided starting key does not match the range key predicate",
                "Query | 'KeyConditionExpression':'sensor = :a AND ts = :b','ExpressionAttributeValues':{':a':{'S':'1'},':b':{'N':'5'}},'ExclusiveStartKey':{'sensor':{'S':'1'},'ts':{'N':'5'}} | The query can return at most one row and cannot be restarted",
                "Query | 'KeyConditionExpression':'sensor = :a','ExpressionAttributeValues':{':a':{'S':'1'}},'ExclusiveStartKey':{'sensor':{'S':'1'}} | The provided starting key is invalid",
                "Query | 'KeyConditionExpression':'sensor = :a','ExpressionAttributeValues':{':a':{'S':'1'}},'ExclusiveStartKey':{'sensor':{'N':'1'},'ts':{'N':'1'}} | The provided key element does not match the schema",
                "Query | 'KeyConditionExpression':'sensor = :a','ExpressionAttributeValues':{':a':{'S':'1'}},'ExclusiveStartKey':{'sensor':{'S':''},'ts':{'N':'1'}} | One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sensor",
                "Scan | 'ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'S':'1'}} | The provided starting key is invalid: The provided key element does not match the schema",
                "Scan | 'IndexName':'by-site','ExclusiveStartKey':{'sensor':{'S':'a'},'x':{'N':'1'},'site':{'S':'x'},'level':{'N':'1'}} | The provided starting key is invalid: The provided key element does not match the schema",
                "Scan | 'ExclusiveStartKey':{'sensor':{}},'FilterExpression':'#a = #a','ExpressionAttributeNames':{} | The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "Scan | 'ProjectionExpression':'sensor.x' | Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sensor",
                "Scan | 'FilterExpression':'attribute_exists(site[0])' | Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: site",
                "Query | 'KeyConditionExpression':'sensor = :a','ProjectionExpression':'ts[0]','ExpressionAttributeValues':{':a':{'S':'1'}} | Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ts",
                "Query | 'KeyConditionExpression':'sensor = :a','FilterExpression':'site.x = :a','ExpressionAttributeValues':{':a':{'S':'1'}} | Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: site",
                "Query | 'KeyConditionExpression':'sensor > :a','ExpressionAttributeValues':{':a':{'N':'1'}} | One or more parameter values were invalid: Condition parameter type does not match schema type",
                "Scan | 'IndexName':'by-site','ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'N':'1'}} | The provided starting key is invalid",
                "Scan | 'IndexName':'by-site','ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'N':'1'},'level':{'N':'1'}} | The provided key element does not match the schema",
                "Scan | 'IndexName':'by-site','ExclusiveStartKey':{'sensor':{'S':'a'},'ts':{'S':'1'},'site':{'S':'x'},'level':{'N':'1'}} | The provided starting key is invalid: The provided key element does not match the schema",
            })
    void mistakesAreToldInAmazonsWords(String operation, String parameters, String told) {
        assertThat(ask(operation, parameters).text()).isEqualTo("ValidationException: " + told);
    }

    @Test
    void aTableWithOneItemAPartitionCanNotBeReadOnWithin() {
        // Given
        tables.define(TestTables.simple());

        // When / Then
        assertThat(
                        tables.ask(
                                        "Query",
                                        json(
                                                "{'TableName':'Simple','KeyConditionExpression':'id = :p','ExpressionAttributeValues':{':p':{'S':'x'}},'ExclusiveStartKey':{'id':{'S':'x'}}}"))
                                .text())
                .isEqualTo(
                        "ValidationException: The provided exclusive start key is invalid:"
                                + " ExclusiveStartKey: {id=AttributeValue: {S:x}}");
    }

    @Test
    void anUnknownTableWinsOverAnIndexName() {
        assertThat(tables.ask("Scan", json("{'TableName':'Other','IndexName':'by-site'}")).text())
                .isEqualTo("ResourceNotFoundException: Requested resource not found");
    }

    @Test
    void anIndexIsRefusedWhileItIsFilled() {
        // Given
        TableDefinition table = TestTables.readings(3);
        tables.define(
                table.withGlobalIndexes(
                        table.globalIndexes().stream()
                                .map(index -> index.withStatus(IndexStatus.CREATING))
                                .toList()));

        // Then
        assertThat(ask("Scan", "'IndexName':'by-site'").text())
                .isEqualTo(
                        "ValidationException: Cannot read from backfilling global secondary index: by-site");
    }

    @Test
    void anotherNodeReadsTheGenerationItKnowsToServe() {
        // Given: this node has not heard that the index is ACTIVE, or has heard that it goes
        TableDefinition table = TestTables.readings(3);
        for (IndexStatus status : List.of(IndexStatus.CREATING, IndexStatus.DELETING)) {
            tables.define(
                    table.withGlobalIndexes(
                            table.globalIndexes().stream()
                                    .map(index -> index.withStatus(status))
                                    .toList()));

            // When
            String query =
                    json(
                            "{'TableName':'Readings','IndexName':'by-site','KeyConditionExpression':'site = :s','ExpressionAttributeValues':{':s':{'S':'x'}}}");
            Answer mine = tables.ask("Query", query, forwarded("1"));
            Answer other = tables.ask("Query", query, forwarded("7"));

            // Then
            assertThat(mine.json()).as(mine.text()).isPresent();
            assertThat(other.text())
                    .isEqualTo(
                            "ServiceUnavailableException: The generation of the index changes just now; try again: by-site");
        }
    }

    private static Map<String, String> forwarded(String generation) {
        return Map.of(PartitionRouter.FORWARDED, "b", PartitionRouter.GENERATION, generation);
    }

    @Test
    void aLaggingIndexSaysSoAndAReadAfterAPositionIsRefusedRetryably() {
        // Given
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'1'}");
        tables.letIndexesFollow(false);
        Answer write =
                ask(
                        "PutItem",
                        "'Item':{'sensor':{'S':'a'},'ts':{'N':'2'},'site':{'S':'x'},'level':{'N':'1'}}");
        String position = write.headers().getOrDefault(PositionToken.POSITION, "absent");
        String query =
                "'IndexName':'by-site','KeyConditionExpression':'site = :s','ExpressionAttributeValues':{':s':{'S':'x'}}";

        // When
        Answer old = ask("Query", query);
        Answer after =
                tables.ask(
                        "Query",
                        json("{'TableName':'Readings'," + query + "}"),
                        Map.of(PositionToken.AFTER, position));

        // Then
        assertThat(old.json().orElseThrow().integer("Count")).contains(1);
        assertThat(old.headers().get(IndexFreshness.LAG)).startsWith("changes=1;ms=");
        assertThat(after.text()).startsWith("ServiceUnavailableException");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | it is not <table>:<partition>:<sequence>",
                "Other:0:1 | it names another table",
                "Readings:3:1 | the table has no such partition",
                "Readings:0:1,, | it is not <table>:<partition>:<sequence>",
            })
    void aWrongPositionIsTold(String header, String reason) {
        assertThat(
                        tables.ask(
                                        "Scan",
                                        json("{'TableName':'Readings','IndexName':'by-site'}"),
                                        Map.of(PositionToken.AFTER, header))
                                .text())
                .isEqualTo("ValidationException: Invalid x-tidemark-after header: " + reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "5", "-1ms", "1h", "1.5s", "9999999999ms"})
    void aWrongStalenessIsTold(String header) {
        assertThat(
                        tables.ask(
                                        "Scan",
                                        json("{'TableName':'Readings','IndexName':'by-site'}"),
                                        Map.of(Freshness.MAX_STALENESS, header))
                                .text())
                .isEqualTo(
                        "ValidationException: Invalid x-tidemark-max-staleness header: it is not"
                                + " like 500ms or 2s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Query", "Scan"})
    void anIndexThatIsFreshEnoughAnswersAndAnotherIsRefusedRetryably(String operation) {
        // Given
        String query =
                operation.equals("Scan")
                        ? "'IndexName':'by-site'"
                        : "'IndexName':'by-site','KeyConditionExpression':'site = :s','ExpressionAttributeValues':{':s':{'S':'x'}}";
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'1'}");
        assertThat(staleness(operation, query, "0ms").json().orElseThrow().integer("Count"))
                .contains(1);

        // When
        tables.letIndexesFollow(false);
        put("'sensor':{'S':'a'},'ts':{'N':'2'},'site':{'S':'x'},'level':{'N':'1'}");

        // Then
        assertThat(staleness(operation, query, "1000s").json().orElseThrow().integer("Count"))
                .contains(1);
        assertThat(staleness(operation, query, "0s").text())
                .startsWith("ServiceUnavailableException: The index has not yet applied");
    }

    private Answer staleness(String operation, String query, String most) {
        return tables.ask(
                operation,
                json("{'TableName':'Readings'," + query + "}"),
                Map.of(Freshness.MAX_STALENESS, most));
    }

    @Test
    void aStrongReadOfAGlobalIndexIsRefusedUnlessTheTablesTagLetsItWait() {
        // Given
        String scan = "'IndexName':'by-site','ConsistentRead':true";
        put("'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'1'}");
        assertThat(ask("Scan", scan).text())
                .isEqualTo(
                        "ValidationException: Consistent reads are not supported on global"
                                + " secondary indexes");

        // When
        tables.define(
                TestTables.readings(3).withTags(Map.of("tidemark:gsi-consistent-read", "wait")));

        // Then
        assertThat(ask("Scan", scan).json().orElseThrow().integer("Count")).contains(1);
        tables.letIndexesFollow(false);
        put("'sensor':{'S':'a'},'ts':{'N':'2'},'site':{'S':'x'},'level':{'N':'1'}");
        assertThat(ask("Scan", scan).text()).startsWith("ServiceUnavailableException");
    }

    private void put(String attributes) {
        assertThat(ask("PutItem", "'Item':{" + attributes + "}").text()).isEqualTo("{}");
    }

    private Answer ask(String operation, String parameters) {
        return tables.ask(operation, json("{'TableName':'Readings'," + parameters + "}"));
    }

    private static List<String> numbers(Answer answer, String attribute) {
        assertThat(answer.json()).as(answer.text()).isPresent();
        return answer.json().orElseThrow().items("Items").orElseThrow().stream()
                .map(JsonItem::item)
                .map(item -> String.valueOf(item.get(attribute)))
                .map(text -> text.replaceAll("N\\[value=(.*)]", "$1"))
                .toList();
    }

    private static String last(String expected) {
        return expected.substring(expected.lastIndexOf(',') + 1);
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
