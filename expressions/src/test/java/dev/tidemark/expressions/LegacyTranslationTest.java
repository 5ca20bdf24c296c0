package dev.tidemark.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.expressions.ConditionExpression.Kind;
import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.expressions.legacy.AttributeUpdate;
import dev.tidemark.expressions.legacy.AttributeUpdate.Action;
import dev.tidemark.expressions.legacy.ComparisonOperator;
import dev.tidemark.expressions.legacy.LegacyTranslation;
import dev.tidemark.expressions.legacy.LegacyTranslation.ConditionalOperator;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LegacyTranslationTest {

    static Stream<Arguments> operators() {
        return Cases.of("legacy.txt", 4);
    }

    @ParameterizedTest
    @MethodSource
    void operators(String outcome, String operator, String item, String values) {
        ComparisonOperator comparison = ComparisonOperator.valueOf(operator);
        if (outcome.startsWith("!")) {
            assertRefused(
                    outcome.substring(1),
                    () -> new AttributeCondition("v", comparison, list(values)));
            return;
        }
        AttributeCondition condition = new AttributeCondition("v", comparison, list(values));
        assertThat(holds(List.of(condition), ConditionalOperator.AND, item))
                .isEqualTo(Boolean.parseBoolean(outcome));
    }

    @Test
    void conditionsAreJoinedByTheOperator() {
        List<AttributeCondition> conditions =
                List.of(
                        new AttributeCondition("a", ComparisonOperator.EQ, list("[1]")),
                        new AttributeCondition("b", ComparisonOperator.NOT_CONTAINS, list("['x']")),
                        new AttributeCondition("a", ComparisonOperator.NOT_NULL, List.of()));
        assertThat(holds(conditions, ConditionalOperator.AND, "{a: 1, b: 'y'}")).isTrue();
        assertThat(holds(conditions, ConditionalOperator.AND, "{a: 1, b: 'x'}")).isFalse();
        assertThat(holds(conditions, ConditionalOperator.OR, "{b: 'y'}")).isTrue();
        assertThat(holds(conditions, ConditionalOperator.OR, "{b: 'x'}")).isFalse();
    }

    @Test
    void updatesBecomeSectionsOfOneExpression() {
        LegacyTranslation translation = new LegacyTranslation();
        String text =
                translation.update(
                        List.of(
                                update("status", Action.PUT, "1"),
                                update("count", Action.ADD, "2"),
                                update("list", Action.ADD, "[3]"),
                                update("new", Action.ADD, "[4]"),
                                update("set", Action.DELETE, "<5>"),
                                new AttributeUpdate("gone", Action.DELETE, Optional.empty())));
        Item after =
                UpdateExpression.parse(text)
                        .bind(translation.placeholders())
                        .apply(Notation.item("{gone: 0, count: 1, list: [2], set: <5, 6>}"));
        assertThat(after)
                .isEqualTo(
                        Notation.item("{count: 3, list: [2, 3], set: <6>, status: 1, new: [4]}"));
    }

    @Test
    void aRequestMayHaveHundredsOfUpdates() {
        LegacyTranslation translation = new LegacyTranslation();
        List<AttributeUpdate> updates = new ArrayList<>();
        for (int at = 0; at < 400; at++) {
            updates.add(update("a long attribute name " + at, Action.PUT, "" + at));
        }
        Item after =
                UpdateExpression.parse(translation.update(updates))
                        .bind(translation.placeholders())
                        .apply(Item.EMPTY);
        assertThat(after.attributes()).hasSize(400);
    }

    @Test
    void updatesNeedValuesOfTheRightTypes() {
        assertRefused(
                "One or more parameter values were invalid: Only DELETE action is allowed when no "
                        + "attribute value is specified",
                () -> new AttributeUpdate("a", Action.PUT, Optional.empty()));
        assertRefused(
                "One or more parameter values were invalid: ADD action is not supported for the type S",
                () -> update("a", Action.ADD, "'x'"));
        assertRefused(
                "One or more parameter values were invalid: DELETE action with value is not supported "
                        + "for the type N",
                () -> update("a", Action.DELETE, "1"));
    }

    @Test
    void refusedUpdatesHaveWordsOfTheirOwnWhereTypesDoNotMatch() {
        // Given
        LegacyTranslation translation = new LegacyTranslation();
        String text = translation.update(List.of(update("a", Action.ADD, "1")));
        BoundUpdate bound = UpdateExpression.parse(text).bind(translation.placeholders());

        // When
        ApiException refusal =
                catchThrowableOfType(
                        ApiException.class, () -> bound.apply(Notation.item("{a: 'x'}")));

        // Then
        assertThat(LegacyTranslation.refusal(refusal.text()))
                .isEqualTo("Type mismatch for attribute to update");
        assertThat(LegacyTranslation.refusal("anything else")).isEqualTo("anything else");
    }

    @Test
    void namesThatNoAttributeCanHaveAreRefused() {
        assertRefused(
                "One or more parameter values were invalid: Empty attribute name",
                () -> update("", Action.PUT, "1"));
        assertRefused(
                "One or more parameter values were invalid: Attribute name is too large, must be"
                        + " less than 65536 bytes",
                () ->
                        new AttributeCondition(
                                "n".repeat(65_536), ComparisonOperator.NULL, List.of()));
    }

    @Test
    void attributesBecomeAProjection() {
        LegacyTranslation translation = new LegacyTranslation();
        String text = translation.projection(List.of("name", "a.b"));
        assertThat(
                        ProjectionExpression.parse(text)
                                .bind(translation.placeholders())
                                .apply(Notation.item("{name: 1, 'a.b': 2, c: 3}")))
                .isEqualTo(Notation.item("{name: 1, 'a.b': 2}"));
    }

    @Test
    void keyConditionsDescribeARange() {
        KeyRange range =
                LegacyTranslation.keyConditions(
                                List.of(
                                        new AttributeCondition(
                                                "p", ComparisonOperator.EQ, list("['x']")),
                                        new AttributeCondition(
                                                "s", ComparisonOperator.BETWEEN, list("[1, 2]"))))
                        .against(
                                KeySchema.composite(
                                        new KeyAttribute("p", KeyType.S),
                                        new KeyAttribute("s", KeyType.N)));
        assertThat(range.bound())
                .contains(new SortBound(KeyCondition.Operator.BETWEEN, list("[1, 2]")));
        assertRefused(
                "Attempted conditional constraint is not an indexable operation",
                () ->
                        LegacyTranslation.keyConditions(
                                List.of(
                                        new AttributeCondition(
                                                "p", ComparisonOperator.NE, list("['x']")))));
    }

    private static boolean holds(
            List<AttributeCondition> conditions, ConditionalOperator operator, String item) {
        LegacyTranslation translation = new LegacyTranslation();
        String text = translation.condition(conditions, operator);
        return ConditionExpression.parse(text, Kind.CONDITION)
                .bind(translation.placeholders())
                .holdsFor(Notation.item(item));
    }

    private static AttributeUpdate update(String attribute, Action action, String value) {
        return new AttributeUpdate(attribute, action, Optional.of(list("[" + value + "]").get(0)));
    }

    private static List<AttributeValue> list(String text) {
        AttributeValue value = Notation.item("{v: " + text + "}").attribute("v").orElseThrow();
        return ((AttributeValue.L) value).values();
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatExceptionOfType(ApiException.class).isThrownBy(call).withMessage(message);
    }
}
