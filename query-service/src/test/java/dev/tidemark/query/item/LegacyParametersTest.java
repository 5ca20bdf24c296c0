package dev.tidemark.query.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.TestTables;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parameters that expressions have replaced do what they did. */
class LegacyParametersTest {

    private static final String KEY = "'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}}";
    private static final String ITEM =
            "'Item':{'sensor':{'S':'a'},'ts':{'N':'1'},'v':{'N':'5'},'t':{'S':'x'}}";

    private final InMemoryTables tables = new InMemoryTables();

    @BeforeEach
    void define() {
        tables.define(TestTables.readings(2));
        assertThat(ask("PutItem", ITEM)).isEqualTo("{}");
    }

    @Test
    void attributeUpdatesPutAddAndDelete() {
        assertThat(
                        ask(
                                "UpdateItem",
                                KEY
                                        + ",'AttributeUpdates':{'v':{'Action':'ADD','Value':{'N':'2'}},"
                                        + "'t':{'Action':'DELETE'},'n':{'Value':{'S':'new'}}},'ReturnValues':'ALL_NEW'"))
                .isEqualTo(
                        json(
                                "{'Attributes':{'sensor':{'S':'a'},'ts':{'N':'1'},'v':{'N':'7'},'n':{'S':'new'}}}"));
    }

    @Test
    void theyAreUnderNoLimitOfExpressions() {
        String updates =
                IntStream.range(0, 1_000)
                        .mapToObj(n -> "'n" + n + "':{'Value':{'N':'" + n + "'}}")
                        .collect(Collectors.joining(","));
        String expected =
                IntStream.range(0, 1_000)
                        .mapToObj(n -> "'n" + n + "':{'Exists':false}")
                        .collect(Collectors.joining(","));
        String update = KEY + ",'AttributeUpdates':{" + updates + "},'Expected':{" + expected + "}";

        assertThat(ask("UpdateItem", update)).isEqualTo("{}");
        assertThat(ask("UpdateItem", update))
                .isEqualTo("ConditionalCheckFailedException: The conditional request failed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'v':{'Value':{'N':'5.0'}} | true",
                "'v':{'Value':{'N':'6'}} | false",
                "'w':{'Exists':false} | true",
                "'v':{'Exists':false} | false",
                "'v':{'ComparisonOperator':'BETWEEN','AttributeValueList':[{'N':'1'},{'N':'5'}]} | true",
                "'v':{'ComparisonOperator':'IN','AttributeValueList':[{'N':'1'},{'N':'2'}]} | false",
                "'t':{'ComparisonOperator':'BEGINS_WITH','AttributeValueList':[{'S':'x'}]},'v':{'ComparisonOperator':'GT','AttributeValueList':[{'N':'4'}]} | true",
            })
    void expectedIsACondition(String expected, boolean holds) {
        assertThat(ask("PutItem", ITEM + ",'Expected':{" + expected + "}"))
                .isEqualTo(
                        holds
                                ? "{}"
                                : "ConditionalCheckFailedException: The conditional request failed");
    }

    @Test
    void keyConditionsAndQueryFilterChooseItems() {
        // Given
        String query =
                "'KeyConditions':{'sensor':{'ComparisonOperator':'EQ','AttributeValueList':[{'S':'a'}]},"
                        + "'ts':{'ComparisonOperator':'LE','AttributeValueList':[{'N':'1'}]}}";

        // Then
        assertThat(ask("Query", query)).contains("\"Count\":1,\"ScannedCount\":1");
        assertThat(
                        ask(
                                "Query",
                                query
                                        + ",'QueryFilter':{'v':{'ComparisonOperator':'LT','AttributeValueList':[{'N':'1'}]}}"))
                .contains("\"Count\":0,\"ScannedCount\":1");
        assertThat(
                        ask(
                                "Query",
                                query
                                        + ",'QueryFilter':{'ts':{'ComparisonOperator':'LT','AttributeValueList':[{'N':'1'}]}}"))
                .isEqualTo(
                        "ValidationException: QueryFilter can only contain non-primary key attributes: Primary key attribute: ts");
    }

    @Test
    void scanFilterChoosesItems() {
        assertThat(
                        ask(
                                "Scan",
                                "'ScanFilter':{'w':{'ComparisonOperator':'NOT_NULL'},'t':{'ComparisonOperator':'EQ','AttributeValueList':[{'S':'x'}]}},'ConditionalOperator':'OR'"))
                .contains("\"Count\":1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Scan | 'ScanFilter':{'w':{'ComparisonOperator':'XX'}} | 1 validation error detected: Value 'XX' at 'scanFilter.w.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
                "Scan | 'ScanFilter':{'w':{}} | 1 validation error detected: Value null at 'scanFilter.w.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributeUpdates':{'v':{'Value':{'N':'2'}}},'Expected':{},'ConditionalOperator':'AND' | One or more parameter values were invalid: ConditionalOperator cannot be used without Filter or Expected",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributeUpdates':{'v':{'Action':'ADD','Value':{'SS':['x']}}} | Type mismatch for attribute to update",
                "Scan | 'AttributesToGet':[''] | One or more parameter values were invalid: Empty attribute name",
                "Scan | 'ConditionalOperator':'OR' | One or more parameter values were invalid: ConditionalOperator cannot be used without Filter or Expected",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'Expected':{'v':{}} | One or more parameter values were invalid: Value must be provided when Exists is null for Attribute: v",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'Expected':{'v':{'Exists':true}} | One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: v",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'Expected':{'v':{'Value':{'N':'1'},'AttributeValueList':[],'Exists':true,'ComparisonOperator':'EQ'}} | One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: v",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'Expected':{'v':{'ComparisonOperator':'LT'}} | One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: v",
                "PutItem | 'Item':{'sensor':{'S':'a'},'ts':{'N':'1'}},'Expected':{'v':{'ComparisonOperator':'LT','AttributeValueList':[]}} | One or more parameter values were invalid: Invalid number of argument(s) for the LT ComparisonOperator",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributeUpdates':{'v':{}},'Expected':{'v':{}} | One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
                "Query | 'KeyConditions':{'sensor':{'ComparisonOperator':'NE','AttributeValueList':[{'S':'a'}]}} | Attempted conditional constraint is not an indexable operation",
                "Query | 'KeyConditions':{'sensor':{'ComparisonOperator':'LT','AttributeValueList':[]}},'QueryFilter':{'v':{'ComparisonOperator':'NULL','AttributeValueList':[{'S':'a'}]}},'ExclusiveStartKey':{'sensor':{}} | One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator",
                "Query | 'KeyConditions':{'sensor':{'ComparisonOperator':'LT','AttributeValueList':[]}},'AttributesToGet':['a','a'],'ExclusiveStartKey':{'sensor':{}} | One or more parameter values were invalid: Duplicate value in attribute name: a",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributeUpdates':{'ts':{'Value':{'N':'2'}}} | One or more parameter values were invalid: Cannot update attribute ts. This attribute is part of the key",
                "UpdateItem | 'Key':{'sensor':{'S':'a'},'ts':{'N':'1'}},'AttributeUpdates':{'v':{'Action':'PUT'}} | One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
            })
    void mistakesAreToldInAmazonsOrder(String operation, String parameters, String told) {
        assertThat(ask(operation, parameters)).isEqualTo("ValidationException: " + told);
    }

    @Test
    void anUnknownTableIsToldBeforeAnOperatorThatIsNoneForKeys() {
        assertThat(
                        tables.ask(
                                        "Query",
                                        json(
                                                "{'TableName':'Nothing','KeyConditions':{'a':{'ComparisonOperator':'NOT_NULL'}}}"))
                                .text())
                .startsWith("ResourceNotFoundException");
    }

    private String ask(String operation, String parameters) {
        return tables.ask(operation, json("{'TableName':'Readings'," + parameters + "}")).text();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
