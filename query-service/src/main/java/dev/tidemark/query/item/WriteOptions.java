package dev.tidemark.query.item;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Messages;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Optional;

/**
 * What a write is asked to tell.
 *
 * @param table the table, as the caller names it: by its name or its ARN
 * @param capacity ReturnConsumedCapacity
 * @param collectionMetrics ReturnItemCollectionMetrics
 * @param returnValues ReturnValues
 * @param onConditionFailure ReturnValuesOnConditionCheckFailure
 */
record WriteOptions(
        Optional<String> table,
        Optional<String> capacity,
        Optional<String> collectionMetrics,
        Optional<String> returnValues,
        Optional<String> onConditionFailure) {

    static final List<String> METRICS = List.of("SIZE", "NONE");
    private static final List<String> RETURN_VALUES =
            List.of("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW");
    private static final List<String> ON_FAILURE = List.of("ALL_OLD", "NONE");

    static WriteOptions read(JsonBody body) {
        return new WriteOptions(
                body.string("TableName"),
                body.string("ReturnConsumedCapacity"),
                body.string("ReturnItemCollectionMetrics"),
                body.string("ReturnValues"),
                body.string("ReturnValuesOnConditionCheckFailure"));
    }

    Constraints check(Constraints constraints) {
        return constraints
                .oneOf("returnConsumedCapacity", capacity, CapacityUse.DETAILS)
                .oneOf("returnItemCollectionMetrics", collectionMetrics, METRICS)
                .oneOf("returnValues", returnValues, RETURN_VALUES)
                .oneOf("returnValuesOnConditionCheckFailure", onConditionFailure, ON_FAILURE);
    }

    /** Refuses what only an update can tell. */
    void checkOldOnly() {
        if (!wants("NONE") && !wants("ALL_OLD")) {
            throw ApiException.validation(Messages.RETURN_VALUES);
        }
    }

    boolean wants(String values) {
        return returnValues.orElse("NONE").equals(values);
    }

    boolean showsItemOnFailure() {
        return onConditionFailure.filter("ALL_OLD"::equals).isPresent();
    }

    boolean wantsMetrics() {
        return collectionMetrics.filter("SIZE"::equals).isPresent();
    }
}
