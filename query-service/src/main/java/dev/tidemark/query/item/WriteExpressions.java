package dev.tidemark.query.item;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.BoundUpdate;
import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.Expression;
import dev.tidemark.expressions.ExpressionLimits;
import dev.tidemark.expressions.UpdateExpression;
import dev.tidemark.expressions.legacy.AttributeCondition;
import dev.tidemark.expressions.legacy.AttributeUpdate;
import dev.tidemark.expressions.legacy.LegacyTranslation;
import dev.tidemark.expressions.legacy.LegacyTranslation.ConditionalOperator;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.ExpressionParameters;
import dev.tidemark.query.LegacyConditions;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The condition and the update of a write, their shape right: as expressions, or as the parameters
 * that expressions have replaced, which become expressions here.
 */
final class WriteExpressions {

    private static final String CONDITION = "ConditionExpression";
    private static final String UPDATE = "UpdateExpression";
    private static final String EXPECTED = "Expected";
    private static final String ATTRIBUTE_UPDATES = "AttributeUpdates";
    private static final List<String> JOINERS = List.of("OR", "AND");
    private static final List<String> ACTIONS = List.of("ADD", "PUT", "DELETE");

    private record UpdateShape(Optional<String> action, Optional<JsonValue> value) {}

    private final ExpressionParameters parameters;
    private final Optional<String> condition;
    private final Optional<String> update;
    private final Optional<LegacyConditions> expected;
    private final Optional<String> joined;
    private final Map<String, UpdateShape> updates;

    /**
     * Expressions ready to be put into the log.
     *
     * @param condition the text of the condition
     * @param update the text of the update
     * @param placeholders of both
     * @param boundCondition the condition, its placeholders filled in
     * @param boundUpdate the update, its placeholders filled in
     */
    record Resolved(
            Optional<String> condition,
            Optional<String> update,
            Placeholders placeholders,
            Optional<BoundCondition> boundCondition,
            Optional<BoundUpdate> boundUpdate) {

        /** Refuses what keys of the table and its indexes do not allow. */
        void checkKeys(TableFacts facts) {
            if (boundUpdate.isPresent()) {
                boundUpdate.get().requireNoKey(facts.table().key(), facts.rules().indexKeyNames());
            }
            boundCondition.ifPresent(facts::requireScalarKeys);
        }
    }

    private WriteExpressions(
            JsonBody body,
            ExpressionParameters parameters,
            Optional<String> update,
            Map<String, UpdateShape> updates) {
        this.parameters = parameters;
        this.condition = body.string(CONDITION);
        this.update = update;
        this.expected = LegacyConditions.readExpected(body);
        this.joined = body.string(LegacyConditions.CONDITIONAL_OPERATOR);
        this.updates = updates;
    }

    /** Reads the parameters of a write that has a condition only. */
    static WriteExpressions readCondition(JsonBody body) {
        ExpressionParameters parameters =
                ExpressionParameters.read(
                        body,
                        List.of(CONDITION),
                        List.of(EXPECTED, LegacyConditions.CONDITIONAL_OPERATOR));
        return new WriteExpressions(body, parameters, Optional.empty(), Map.of());
    }

    /** Reads the parameters of an update. */
    static WriteExpressions readUpdate(JsonBody body) {
        ExpressionParameters parameters =
                ExpressionParameters.read(
                        body,
                        List.of(UPDATE, CONDITION),
                        List.of(
                                ATTRIBUTE_UPDATES,
                                EXPECTED,
                                LegacyConditions.CONDITIONAL_OPERATOR));
        Map<String, UpdateShape> updates = new LinkedHashMap<>();
        body.objectMap(ATTRIBUTE_UPDATES, "AttributeValueUpdate")
                .orElse(Map.of())
                .forEach(
                        (attribute, given) ->
                                updates.put(
                                        attribute,
                                        new UpdateShape(
                                                given.string("Action"),
                                                given.attributeValue("Value"))));
        return new WriteExpressions(body, parameters, body.string(UPDATE), updates);
    }

    Constraints check(Constraints constraints) {
        constraints.oneOf("conditionalOperator", joined, JOINERS);
        expected.ifPresent(given -> given.check(constraints));
        updates.forEach(
                (attribute, given) ->
                        constraints.oneOf(
                                "attributeUpdates." + attribute + ".member.action",
                                given.action(),
                                ACTIONS));
        return constraints;
    }

    /** Returns what makes of the text of a refusal what the caller of such parameters is told. */
    UnaryOperator<String> refusals() {
        return parameters.legacy().isEmpty()
                ? UnaryOperator.identity()
                : LegacyTranslation::refusal;
    }

    void checkCombination() {
        parameters.checkCombination();
    }

    /**
     * Returns the expressions.
     *
     * @throws dev.tidemark.model.error.ApiException a ValidationException if one is none, or a
     *     placeholder is undefined or unused
     */
    Resolved resolve() {
        if (parameters.legacy().isEmpty()) {
            return resolve(
                    condition, update, parameters.placeholders(), ExpressionLimits.OF_A_REQUEST);
        }
        List<AttributeUpdate> changes = new ArrayList<>(updates.size());
        updates.forEach(
                (attribute, given) ->
                        changes.add(
                                new AttributeUpdate(
                                        attribute,
                                        AttributeUpdate.Action.valueOf(
                                                given.action().orElse("PUT")),
                                        given.value().map(JsonValue::value))));
        LegacyTranslation translation = new LegacyTranslation();
        ConditionalOperator operator = LegacyConditions.joined(joined, expected);
        List<AttributeCondition> conditions =
                expected.map(LegacyConditions::conditions).orElse(List.of());
        Optional<String> conditionText =
                conditions.isEmpty()
                        ? Optional.empty()
                        : Optional.of(translation.condition(conditions, operator));
        Optional<String> updateText =
                changes.isEmpty() ? Optional.empty() : Optional.of(translation.update(changes));
        return resolve(
                conditionText, updateText, translation.placeholders(), ExpressionLimits.OF_THE_LOG);
    }

    private static Resolved resolve(
            Optional<String> condition,
            Optional<String> update,
            Placeholders placeholders,
            ExpressionLimits limits) {
        if (condition.isEmpty() && update.isEmpty()) {
            return new Resolved(
                    condition, update, Placeholders.NONE, Optional.empty(), Optional.empty());
        }
        List<Expression> used = new ArrayList<>(2);
        Optional<UpdateExpression> parsedUpdate =
                update.map(text -> UpdateExpression.parse(text, limits));
        parsedUpdate.ifPresent(used::add);
        Optional<ConditionExpression> parsedCondition =
                condition.map(
                        text ->
                                ConditionExpression.parse(
                                        text, ConditionExpression.Kind.CONDITION, limits));
        parsedCondition.ifPresent(used::add);
        Optional<BoundUpdate> boundUpdate = parsedUpdate.map(parsed -> parsed.bind(placeholders));
        Optional<BoundCondition> boundCondition =
                parsedCondition.map(parsed -> parsed.bind(placeholders));
        ExpressionParameters.requireAllUsed(placeholders, used);
        return new Resolved(condition, update, placeholders, boundCondition, boundUpdate);
    }
}
