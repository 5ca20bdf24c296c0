package dev.tidemark.query.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.InMemoryTables.Answer;
import dev.tidemark.query.TestTables;
import dev.tidemark.query.read.PositionToken;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemOperationsTest {

    private static final String KEY = "'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}}";
    private static final String READING =
            "'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'5'}";

    private final InMemoryTables tables = new InMemoryTables();

    @BeforeEach
    void define() {
        tables.define(TestTables.readings(2));
        tables.define(TestTables.simple());
    }

    @Test
    void whatIsPutIsGot() {
        // When
        Answer put = readings("PutItem", "'Item':{" + READING + "}");
        Answer got = readings("GetItem", KEY);

        // Then
        assertThat(put.text()).isEqualTo("{}");
        assertThat(put.headers().get(PositionToken.POSITION)).matches("Readings:[01]:1");
        assertThat(got.text()).isEqualTo(json("{'Item':{" + READING + "}}"));
    }

    @Test
    void aMissingItemIsAnEmptyReply() {
        assertThat(readings("GetItem", KEY).text()).isEqualTo("{}");
    }

    @Test
    void equalNumbersAreOneKey() {
        // Given
        readings("PutItem", "'Item':{'sensor':{'S':'a'},'ts':{'N':'1000'},'v':{'N':'1'}}");

        // When
        readings("PutItem", "'Item':{'sensor':{'S':'a'},'ts':{'N':'1e3'},'v':{'N':'00042'}}");

        // Then
        assertThat(readings("GetItem", "'Key':{'sensor':{'S':'a'},'ts':{'N':'+1000.0'}}").text())
                .isEqualTo(json("{'Item':{'sensor':{'S':'a'},'ts':{'N':'1000'},'v':{'N':'42'}}}"));
    }

    @Test
    void aPutShowsTheOldItemWhenAsked() {
        // Given
        String item = "'Item':{" + READING + "}";
        assertThat(readings("PutItem", item + ",'ReturnValues':'ALL_OLD'").text()).isEqualTo("{}");

        // Then
        assertThat(readings("PutItem", item + ",'ReturnValues':'ALL_OLD'").text())
                .isEqualTo(json("{'Attributes':{" + READING + "}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALL_OLD | 'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'5'}",
                "ALL_NEW | 'sensor':{'S':'a'},'ts':{'N':'1'},'site':{'S':'x'},'level':{'N':'7'},'new':{'S':'n'}",
                "UPDATED_OLD | 'level':{'N':'5'}",
                "UPDATED_NEW | 'level':{'N':'7'},'new':{'S':'n'}",
            })
    void anUpdateShowsWhatIsAskedFor(String returnValues, String shown) {
        // Given
        readings("PutItem", "'Item':{" + READING + "}");

        // When
        Answer answer =
                readings(
                        "UpdateItem",
                        KEY
                                + ",'UpdateExpression':'SET #l = #l + :two, #n = :n',"
                                + "'ExpressionAttributeNames':{'#l':'level','#n':'new'},"
                                + "'ExpressionAttributeValues':{':two':{'N':'2'},':n':{'S':'n'}},"
                                + "'ReturnValues':'"
                                + returnValues
                                + "'");

        // Then
        assertThat(answer.text()).isEqualTo(json("{'Attributes':{" + shown + "}}"));
    }

    @Test
    void aFailedConditionIsToldAndKeepsTheItem() {
        // Given
        readings("PutItem", "'Item':{" + READING + "}");

        // When
        Answer answer =
                readings(
                        "PutItem",
                        "'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},"
                                + "'ConditionExpression':'attribute_not_exists(sensor)'");

        // Then
        assertThat(answer.text())
                .isEqualTo("ConditionalCheckFailedException: The conditional request failed");
        assertThat(readings("GetItem", KEY).text()).isEqualTo(json("{'Item':{" + READING + "}}"));
    }

    @Test
    void aDeleteShowsTheOldItemAndAMissingOneIsNoError() {
        // Given
        readings("PutItem", "'Item':{" + READING + "}");

        // Then
        assertThat(readings("DeleteItem", KEY + ",'ReturnValues':'ALL_OLD'").text())
                .isEqualTo(json("{'Attributes':{" + READING + "}}"));
        assertThat(readings("DeleteItem", KEY + ",'ReturnValues':'ALL_OLD'").text())
                .isEqualTo("{}");
        assertThat(readings("GetItem", KEY).text()).isEqualTo("{}");
    }

    @Test
    void aProjectionShowsPartsOfTheItem() {
        // Given
        readings(
                "PutItem",
                "'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'m':{'M':{'x':{'N':'1'},'y':{'N':'2'}}},"
                        + "'z':{'S':'z'}}");

        // Then
        assertThat(readings("GetItem", KEY + ",'ProjectionExpression':'z'").text())
                .isEqualTo(json("{'Item':{'z':{'S':'z'}}}"));
        assertThat(readings("GetItem", KEY + ",'ProjectionExpression':'m.y'").text())
                .isEqualTo(json("{'Item':{'m':{'M':{'y':{'N':'2'}}}}}"));
        assertThat(readings("GetItem", KEY + ",'AttributesToGet':['z','nothing']").text())
                .isEqualTo(json("{'Item':{'z':{'S':'z'}}}"));
        assertThat(readings("GetItem", KEY + ",'ProjectionExpression':'nothing'").text())
                .isEqualTo(json("{'Item':{}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "PutItem | 'Item':3 | SerializationException: Unexpected field type",
                "PutItem | 'Item':{'sensor':{'N':3}} | SerializationException: NUMBER_VALUE cannot be converted to String",
                "PutItem | 'ReturnValues':'X' | ValidationException: 2 validation errors detected: Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value null at 'item' failed to satisfy constraint: Member must not be null",
                "PutItem | 'Item':{},'ReturnValues':'ALL_NEW' | ValidationException: ReturnValues can only be ALL_OLD or NONE",
                "PutItem | 'Item':{} | ValidationException: One or more parameter values were invalid: Missing the key sensor in the item",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'S':'1'}} | ValidationException: One or more parameter values were invalid: Type mismatch for key ts expected: N actual: S",
                "PutItem | 'Item':{'sensor':{},'ts':{'N':'1'}} | ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'x':{'SS':[]}} | ValidationException: One or more parameter values were invalid: An string set  may not be empty",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'x':{'SS':['a','a']}} | ValidationException: One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'x':{'NULL':false}} | ValidationException: One or more parameter values were invalid: Null attribute value types must have the value of true",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'x':{'N':'1E126'}} | ValidationException: Number overflow. Attempting to store a number with magnitude larger than supported range",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'level':{'S':'5'}} | ValidationException: One or more parameter values were invalid: Type mismatch for Index Key level Expected: N Actual: S IndexName: by-kind",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'alarm':{'S':''}} | ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-alarm, IndexKey: alarm",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ExpressionAttributeValues':{':a':{'S':'a'}} | ValidationException: ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ConditionExpression':'x = :a','ExpressionAttributeValues':{':a':{'S':'a'},':b':{'S':'a'}} | ValidationException: Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ConditionExpression':'x = :a','ExpressionAttributeValues':{':a':{'N':'a'}} | ValidationException: ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: a for key :a",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ConditionExpression':'x = :a','Expected':{} | ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
                "GetItem | 'Key':{'sensor':{}},'ProjectionExpression':'#a','ExpressionAttributeNames':{} | ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ProjectionExpression':'#a','ExpressionAttributeNames':{} | ValidationException: ExpressionAttributeNames must not be empty",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ProjectionExpression':'a, sensor[1]' | ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sensor",
                "GetItem | 'Key':{'sensor':{'S':'a'}} | ValidationException: The provided key element does not match the schema",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'},'x':{'N':'1'}} | ValidationException: The provided key element does not match the schema",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ProjectionExpression':'a, a' | ValidationException: Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributesToGet':['a','a'] | ValidationException: One or more parameter values were invalid: Duplicate value in attribute name: a",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'UpdateExpression':'SET ts = :a','ExpressionAttributeValues':{':a':{'N':'2'}} | ValidationException: One or more parameter values were invalid: Cannot update attribute ts. This attribute is part of the key",
                "GetItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'ProjectionExpression':'#n','ExpressionAttributeNames':{'#n':''} | ValidationException: ExpressionAttributeNames contains invalid value: One or more parameter values were invalid: Empty attribute name for key #n",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'UpdateExpression':'SET' | ValidationException: Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"SET\"",
            })
    void mistakesAreToldInAmazonsWords(String operation, String parameters, String told) {
        assertThat(readings(operation, parameters).text()).isEqualTo(told);
        assertThat(tables.appended()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{} | ValidationException: 1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
                "{'TableName':''} | ValidationException: 1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
                "{'TableName':'a;b'} | ValidationException: 1 validation error detected: Value 'a;b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
                "{'TableName':'Nothing','Key':{}} | ResourceNotFoundException: Requested resource not found",
                "{'TableName':'ab','Key':{}} | ValidationException: 1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
            })
    void wrongTableNamesAreTold(String body, String told) {
        assertThat(tables.ask("GetItem", json(body)).text()).isEqualTo(told);
    }

    @Test
    void aTableMayBeNamedByItsArn() {
        assertThat(
                        tables.ask(
                                        "GetItem",
                                        json(
                                                "{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/Simple',"
                                                        + "'Key':{'id':{'S':'a'}}}"))
                                .text())
                .isEqualTo("{}");
    }

    @Test
    void capacityIsToldForTableAndIndexes() {
        // Given
        String item = "'Item':{" + READING + ",'pad':{'S':'" + "x".repeat(1500) + "'}}";

        // When
        Answer put = readings("PutItem", item + ",'ReturnConsumedCapacity':'INDEXES'");
        Answer got =
                readings(
                        "GetItem", KEY + ",'ReturnConsumedCapacity':'TOTAL','ConsistentRead':true");

        // Then
        assertThat(put.text())
                .isEqualTo(
                        json(
                                "{'ConsumedCapacity':{'TableName':'Readings','CapacityUnits':6.0,"
                                        + "'Table':{'CapacityUnits':2.0},"
                                        + "'LocalSecondaryIndexes':{'by-level':{'CapacityUnits':2.0}},"
                                        + "'GlobalSecondaryIndexes':{'by-site':{'CapacityUnits':2.0}}}}"));
        assertThat(got.text())
                .endsWith(json("'ConsumedCapacity':{'TableName':'Readings','CapacityUnits':1.0}}"));
    }

    @Test
    void aWriteTellsOfItsItemCollection() {
        assertThat(
                        readings(
                                        "PutItem",
                                        "'Item':{"
                                                + READING
                                                + "},'ReturnItemCollectionMetrics':'SIZE'")
                                .text())
                .isEqualTo(
                        json(
                                "{'ItemCollectionMetrics':{'ItemCollectionKey':{'sensor':{'S':'a'}},"
                                        + "'SizeEstimateRangeGB':[0.0,1.0]}}"));
    }

    @Test
    void aBatchWritesAndDeletes() {
        // Given
        tables.ask("PutItem", json("{'TableName':'Simple','Item':{'id':{'S':'gone'}}}"));

        // When
        Answer answer =
                tables.ask(
                        "BatchWriteItem",
                        json(
                                "{'RequestItems':{'Simple':[{'DeleteRequest':{'Key':{'id':{'S':'gone'}}}},"
                                        + "{'PutRequest':{'Item':{'id':{'S':'new'}}}}],"
                                        + "'Readings':[{'PutRequest':{'Item':{"
                                        + READING
                                        + "}}}]}}"));

        // Then
        assertThat(answer.text()).isEqualTo("{\"UnprocessedItems\":{}}");
        assertThat(answer.headers().get(PositionToken.POSITION)).contains("Readings:");
        assertThat(simple("gone")).isEqualTo("{}");
        assertThat(simple("new")).isEqualTo(json("{'Item':{'id':{'S':'new'}}}"));
        assertThat(readings("GetItem", KEY).text()).contains("Item");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'RequestItems':{}} | The requestItems parameter is required for BatchWriteItem",
                "{'RequestItems':{'Simple':[]}} | 1 validation error detected: Value '{Simple=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
                "{'RequestItems':{'a;':[]},'ReturnConsumedCapacity':'x'} | 3 validation errors detected: Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '{a;=...}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]; Value '{a;=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
                "{'RequestItems':{'Simple':[{'PutRequest':{'Item':{'id':{'N':'1'}}}}]}} | The provided key element does not match the schema",
                "{'RequestItems':{'Simple':[{'PutRequest':{'Item':{'x':{'N':'1'}}}}]}} | One or more parameter values were invalid: Missing the key id in the item",
                "{'RequestItems':{'Simple':[{}]}} | Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
                "{'RequestItems':{'Simple':[{'PutRequest':{'Item':{'id':{'S':'a'}}}},{'DeleteRequest':{'Key':{'id':{'S':'a'}}}}]}} | Provided list of item keys contains duplicates",
                "{'RequestItems':{'Readings':[{'PutRequest':{'Item':{'sensor':{'S':'a'},'ts':{'N':'1000'}}}},{'PutRequest':{'Item':{'sensor':{'S':'a'},'ts':{'N':'1e3'}}}}]}} | Provided list of item keys contains duplicates",
                "{'RequestItems':{'Readings':[{'PutRequest':{'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}}}},{'PutRequest':{'Item':{'sensor':{'S':'a'},'ts':{'N':'2'},'alarm':{'N':'2'}}}}]}} | One or more parameter values were invalid: Type mismatch for Index Key alarm Expected: S Actual: N IndexName: by-alarm",
            })
    void aBatchWithAMistakeWritesNothing(String body, String told) {
        assertThat(tables.ask("BatchWriteItem", json(body)).text())
                .isEqualTo("ValidationException: " + told);
        assertThat(tables.appended()).isZero();
    }

    @Test
    void aBatchHasAtMost25Writes() {
        // Given
        String writes =
                IntStream.range(0, 26)
                        .mapToObj(number -> "{'PutRequest':{'Item':{'id':{'S':'" + number + "'}}}}")
                        .collect(Collectors.joining(","));

        // Then
        assertThat(
                        tables.ask(
                                        "BatchWriteItem",
                                        json("{'RequestItems':{'Simple':[" + writes + "]}}"))
                                .text())
                .isEqualTo(
                        "ValidationException: 1 validation error detected: Value '{Simple=[...]}' at"
                                + " 'requestItems' failed to satisfy constraint: Map value must"
                                + " satisfy constraint: [Member must have length less than or"
                                + " equal to 25, Member must have length greater than or equal to"
                                + " 1]");
        assertThat(tables.appended()).isZero();
    }

    @Test
    void aBatchHasAtMost100Keys() {
        // Given
        String keys =
                IntStream.range(0, 101)
                        .mapToObj(number -> "{'id':{'S':'" + number + "'}}")
                        .collect(Collectors.joining(","));

        // Then
        assertThat(
                        tables.ask(
                                        "BatchGetItem",
                                        json("{'RequestItems':{'Simple':{'Keys':[" + keys + "]}}}"))
                                .text())
                .isEqualTo(
                        "ValidationException: 1 validation error detected: Value at"
                                + " 'RequestItems.Simple.member.Keys' failed to satisfy constraint:"
                                + " Member must have length less than or equal to 100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "PutItem | {'TableName':'Nothing','Item':{'pad':{'S':'$'}}}",
                "BatchWriteItem | {'RequestItems':{'Nothing':[{'PutRequest':{'Item':{'pad':{'S':'$'}}}}]}}",
            })
    void anItemTooLargeForAnyTableIsToldBeforeAnUnknownTable(String operation, String body) {
        assertThat(tables.ask(operation, json(body).replace("$", "x".repeat(409_600 - 3))).text())
                .startsWith("ResourceNotFoundException");
        assertThat(tables.ask(operation, json(body).replace("$", "x".repeat(409_600 - 2))).text())
                .isEqualTo("ValidationException: Item size has exceeded the maximum allowed size");
    }

    @Test
    void aBatchOfKeysFindsWhatThereIs() {
        // Given
        tables.ask("PutItem", json("{'TableName':'Simple','Item':{'id':{'S':'a'},'v':{'N':'1'}}}"));
        readings("PutItem", "'Item':{" + READING + "}");

        // When
        Answer answer =
                tables.ask(
                        "BatchGetItem",
                        json(
                                "{'RequestItems':{'Simple':{'Keys':[{'id':{'S':'a'}},{'id':{'S':'b'}}],"
                                        + "'ProjectionExpression':'v'},"
                                        + "'Readings':{'Keys':[{'sensor':{'S':'a'},'ts':{'N':'1'}}],"
                                        + "'ConsistentRead':true}}}"));

        // Then
        assertThat(answer.text())
                .isEqualTo(
                        json(
                                "{'Responses':{'Simple':[{'v':{'N':'1'}}],'Readings':[{"
                                        + READING
                                        + "}]},'UnprocessedKeys':{}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'Simple':{'Keys':[{'id':{'S':'a'}},{'id':{'S':'a'}}]}} | Provided list of item keys contains duplicates",
                "{'Nothing':{'Keys':[{'id':{'N':'10'}},{'id':{'N':'1e1'}}]}} | Provided list of item keys contains duplicates",
                "{} | The requestItems parameter is required for BatchGetItem",
                "{'Simple':{'Keys':[]}} | 1 validation error detected: Value '[]' at 'requestItems.Simple.member.keys' failed to satisfy constraint: Member must have length greater than or equal to 1",
                "{'Simple':{}} | 1 validation error detected: Value null at 'requestItems.Simple.member.keys' failed to satisfy constraint: Member must not be null",
                "{'ab':{'Keys':[{'id':{'S':'a'}}]}} | 1 validation error detected: Value '{ab=...}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]",
            })
    void aBatchOfKeysWithAMistakeIsRefused(String items, String told) {
        assertThat(tables.ask("BatchGetItem", json("{'RequestItems':" + items + "}")).text())
                .isEqualTo("ValidationException: " + told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetItem", "Query"})
    void aPartitionThatIsNotHereIsNeverAnEmptyAnswer(String operation) {
        // Given
        readings("PutItem", "'Item':{" + READING + "}");
        tables.board().openBases().forEach(tables.board()::close);

        // When
        Answer answer =
                readings(
                        operation,
                        operation.equals("GetItem")
                                ? KEY
                                : "'KeyConditionExpression':'sensor = :s','ExpressionAttributeValues':{':s':{'S':'a'}}");

        // Then
        assertThat(answer.text()).startsWith("ServiceUnavailableException");
        assertThat(readings(operation, KEY + ",'ConsistentRead':true").text())
                .doesNotStartWith("{");
    }

    private String simple(String id) {
        return tables.ask("GetItem", json("{'TableName':'Simple','Key':{'id':{'S':'" + id + "'}}}"))
                .text();
    }

    private Answer readings(String operation, String parameters) {
        return tables.ask(operation, json("{'TableName':'Readings'," + parameters + "}"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
