package dev.tidemark.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.expressions.ConditionExpression.Kind;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.write.Placeholders;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the language as tables of cases. */
class ExpressionCasesTest {

    static Stream<Arguments> conditions() {
        return Cases.of("conditions.txt", 5);
    }

    @ParameterizedTest
    @MethodSource
    void conditions(String outcome, String text, String item, String values, String names) {
        for (Kind kind : Kind.values()) {
            boolean holds =
                    ConditionExpression.parse(text, kind)
                            .bind(Notation.placeholders(values, names))
                            .holdsFor(Notation.item(item));
            assertThat(holds).isEqualTo(Boolean.parseBoolean(outcome));
        }
    }

    static Stream<Arguments> errors() {
        return Cases.of("errors.txt", 5);
    }

    @ParameterizedTest
    @MethodSource
    void errors(String message, String kind, String text, String values, String names) {
        Placeholders placeholders = Notation.placeholders(values, names);
        assertRefused(
                message,
                () -> {
                    switch (ExpressionKind.valueOf(kind)) {
                        case CONDITION ->
                                ConditionExpression.parse(text, Kind.CONDITION).bind(placeholders);
                        case FILTER ->
                                ConditionExpression.parse(text, Kind.FILTER).bind(placeholders);
                        case KEY_CONDITION -> KeyConditionExpression.parse(text).bind(placeholders);
                        case PROJECTION -> ProjectionExpression.parse(text).bind(placeholders);
                        case UPDATE -> UpdateExpression.parse(text).bind(placeholders);
                    }
                });
    }

    static Stream<Arguments> updates() {
        return Cases.of("updates.txt", 5);
    }

    @ParameterizedTest
    @MethodSource
    void updates(String outcome, String text, String item, String values, String names) {
        BoundUpdate update =
                UpdateExpression.parse(text).bind(Notation.placeholders(values, names));
        Item old = Notation.item(item);
        if (outcome.startsWith("!")) {
            assertRefused(outcome.substring(1), () -> update.apply(old));
            return;
        }
        Item expected = Notation.item(outcome);
        Item actual = update.apply(old);
        assertThat(actual).isEqualTo(expected);
        assertThat(actual.attributes().keySet())
                .as("the order of attributes")
                .containsExactlyElementsOf(expected.attributes().keySet());
        assertThat(old).as("the old item").isEqualTo(Notation.item(item));
    }

    static Stream<Arguments> projections() {
        return Cases.of("projections.txt", 4);
    }

    @ParameterizedTest
    @MethodSource
    void projections(String outcome, String text, String item, String names) {
        BoundProjection projection =
                ProjectionExpression.parse(text).bind(Notation.placeholders("", names));
        assertThat(projection.apply(Notation.item(item))).isEqualTo(Notation.item(outcome));
    }

    static Stream<Arguments> keys() {
        return Cases.of("keys.txt", 4);
    }

    @ParameterizedTest
    @MethodSource
    void keys(String outcome, String schema, String text, String values) {
        KeyConditions conditions =
                KeyConditionExpression.parse(text).bind(Notation.placeholders(values, ""));
        if (outcome.startsWith("!")) {
            assertRefused(outcome.substring(1), () -> conditions.against(schema(schema)));
        } else {
            assertThat(shown(conditions.against(schema(schema)))).isEqualTo(outcome);
        }
    }

    private static KeySchema schema(String text) {
        String[] kinds = text.split("/", -1);
        return new KeySchema(
                attributes(kinds[0]), kinds.length == 1 ? List.of() : attributes(kinds[1]));
    }

    private static List<KeyAttribute> attributes(String text) {
        return Arrays.stream(text.split("\\+"))
                .map(
                        attribute ->
                                new KeyAttribute(
                                        attribute.substring(0, 1),
                                        KeyType.valueOf(attribute.substring(2))))
                .toList();
    }

    private static String shown(KeyRange range) {
        return "p="
                + shown(range.partitionValues())
                + " s="
                + shown(range.sortEquals())
                + range.bound()
                        .map(bound -> " " + bound.operator() + shown(bound.operands()))
                        .orElse("");
    }

    private static List<String> shown(List<AttributeValue> values) {
        return values.stream()
                .map(
                        value ->
                                value instanceof AttributeValue.S string
                                        ? "'" + string.value() + "'"
                                        : ((AttributeValue.N) value).value().text())
                .toList();
    }

    private static void assertRefused(
            String message, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(e -> assertThat(e.error()).isEqualTo(ApiError.VALIDATION));
    }
}
