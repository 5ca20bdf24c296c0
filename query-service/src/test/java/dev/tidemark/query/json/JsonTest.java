package dev.tidemark.query.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"S\":\"\"}}",
                "{\"a\":{\"S\":\"q\\\"\\\\\\n\\r\\t\\u0001 é 漢 😀\"}}",
                "{\"a\":{\"N\":\"-12.5\"},\"b\":{\"BOOL\":false},\"c\":{\"NULL\":true}}",
                "{\"a\":{\"B\":\"AAEC/w==\"},\"s\":{\"BS\":[\"AA==\",\"AQ==\"]}}",
                "{\"a\":{\"SS\":[\"a\",\"b\"]},\"n\":{\"NS\":[\"1\",\"2\"]}}",
                "{\"a\":{\"L\":[{\"S\":\"x\"},{\"M\":{\"y\":{\"L\":[]}}}]},\"m\":{\"M\":{}}}",
            })
    void anItemIsWrittenAsItWasRead(String json) {
        // Given
        Item item = parse("{\"Item\":" + json + "}").item("Item").orElseThrow().item();

        // When
        JsonWriter out = new JsonWriter(1);
        out.item(item);

        // Then
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | TRUE_VALUE cannot be converted to String",
                "false | FALSE_VALUE cannot be converted to String",
                "3 | NUMBER_VALUE cannot be converted to String",
                "3.5 | DECIMAL_VALUE cannot be converted to String",
                "[] | Unrecognized collection type class java.lang.String",
                "{} | Start of structure or map found where not expected",
            })
    void whatIsNoStringIsNamed(String value, String told) {
        assertThatThrownBy(() -> parse("{\"x\":" + value + "}").string("x")).hasMessage(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"3\"' | STRING_VALUE cannot be converted to Integer",
                "true | TRUE_VALUE cannot be converted to Integer",
                "[] | Unrecognized collection type class java.lang.Integer",
                "{} | Start of structure or map found where not expected",
            })
    void whatIsNoNumberIsNamed(String value, String told) {
        assertThatThrownBy(() -> parse("{\"x\":" + value + "}").integer("x")).hasMessage(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | 7",
                "7.9 | 7",
                "-0.5 | -1",
                "99999999999 | 2147483647",
                "1e300 | 2147483647",
                "-1e999999 | -2147483648",
                "1e-999999999 | 0",
                "-1e-999999999 | -1",
                "0e999999999 | 0",
            })
    void numbersAreRoundedDownAndCutToTheirRange(String value, int expected) {
        assertThat(parse("{\"x\":" + value + "}").integer("x")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E99999999999999999999", "1E-2147483648", "-1E2147483648"})
    void anExponentThatNoNumberHasIsMalformed(String value) {
        assertThatThrownBy(() -> parse("{\"x\":" + value + "}"))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        failure -> assertThat(failure.error()).isEqualTo(ApiError.SERIALIZATION));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | only base-64-encoded strings are convertible to bytes",
                "[] | Unrecognized collection type class java.nio.ByteBuffer",
                "'\"abc\"' | Base64 encoded length is expected a multiple of 4 bytes but found: 3",
                "'\"a!==\"' | Invalid last non-pad Base64 character dectected",
                "'\"ab==\"' | Invalid last non-pad Base64 character dectected",
                "'\"AAF=\"' | Invalid last non-pad Base64 character dectected",
                "'\"AA==AA==\"' | Invalid last non-pad Base64 character dectected",
                "true | only base-64-encoded strings are convertible to bytes",
                "{} | Start of structure or map found where not expected",
            })
    void whatIsNoBinaryIsNamed(String value, String told) {
        assertThatThrownBy(() -> parse("{\"x\":{\"B\":" + value + "}}").attributeValue("x"))
                .hasMessage(told)
                .satisfies(
                        failure ->
                                assertThat(((ApiException) failure).error())
                                        .isEqualTo(ApiError.SERIALIZATION));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{} | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "{'X':3} | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                "{'S':'a','N':'1'} | Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
                "{'S':'a','N':''} | The parameter cannot be converted to a numeric value",
                "{'NULL':false,'S':'a'} | One or more parameter values were invalid: Null attribute value types must have the value of true",
                "{'SS':['a','b','a']} | One or more parameter values were invalid: Input collection [a, b, a] contains duplicates.",
                "{'NS':['1','1.0']} | Input collection contains duplicates",
                "{'BS':['Yg==','Yg==']} | One or more parameter values were invalid: Input collection [Yg==, Yg==]of type BS contains duplicates.",
                "{'L':[{'S':'a'},{'M':{'b':{'N':'c'}}}]} | The parameter cannot be converted to a numeric value: c",
            })
    void contentIsRefusedOnlyWhenItIsLookedAt(String value, String told) {
        // When
        JsonValue read =
                parse("{\"x\":" + value.replace('\'', '"') + "}").attributeValue("x").orElseThrow();

        // Then
        assertThatThrownBy(read::value)
                .hasMessage(told)
                .satisfies(
                        failure ->
                                assertThat(((ApiException) failure).error())
                                        .isEqualTo(ApiError.VALIDATION));
    }

    @Test
    void nullsAreAbsent() {
        // Given
        JsonBody body = parse("{\"a\":null,\"b\":1}");

        // Then
        assertThat(body.string("a")).isEmpty();
        assertThat(body.has("a")).isFalse();
        assertThat(body.names()).containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource({"32,true", "33,false", "200,false"})
    void valuesNest32LevelsDeep(int levels, boolean accepted) {
        // Given
        String json =
                "{\"x\":" + "{\"L\":[".repeat(levels) + "{\"S\":\"a\"}" + "]}".repeat(levels) + "}";

        // When
        JsonValue value = parse(json).attributeValue("x").orElseThrow();

        // Then
        if (accepted) {
            assertThat(value.value().depth()).isEqualTo(levels);
        } else {
            assertThatThrownBy(value::value).hasMessageContaining("Nesting Levels");
        }
    }

    @ParameterizedTest
    @MethodSource("costly")
    void whatWouldCostTooMuchIsAMistakeOfForm(String json) {
        assertThatThrownBy(() -> parse(json))
                .satisfies(
                        failure ->
                                assertThat(((ApiException) failure).error())
                                        .isEqualTo(ApiError.SERIALIZATION));
    }

    private static Stream<Arguments> costly() {
        return Stream.of(
                argumentSet("bottomless nesting", "{\"x\":" + "[".repeat(100_000)),
                argumentSet(
                        "deep nesting", "{\"x\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}"),
                argumentSet("a million digits", "{\"x\":" + "9".repeat(1_000_000) + "}"),
                argumentSet("a huge exponent", "{\"x\":1e99999999999999}"),
                argumentSet("a tiny exponent", "{\"x\":1e-99999999999999}"));
    }

    private static JsonBody parse(String json) {
        return JsonBody.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
