package dev.tidemark.query.table;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.util.Collection;

/**
 * What callers are told about tables that can't be as they asked. The texts are DynamoDB's where it
 * has one.
 */
final class TableErrors {

    static final String ON_DEMAND_START =
            "initial throughput for OnDemand. See:"
                    + " https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                    + "on-demand-capacity-mode.html#on-demand-capacity-mode-initial";

    private TableErrors() {}

    static ApiException invalid(String reason) {
        return ApiException.validation("One or more parameter values were invalid: " + reason);
    }

    static ApiException unsupported(String parameter) {
        return ApiException.validation(parameter + " is not supported yet");
    }

    static ApiException missing(String parameter) {
        return ApiException.validation(
                "The parameter '" + parameter + "' is required but was not present in the request");
    }

    static ApiException nameLength() {
        return ApiException.validation(
                "TableName must be at least 3 characters long and at most 255 characters long");
    }

    static ApiException tableNotFound(String name) {
        return new ApiException(
                ApiError.RESOURCE_NOT_FOUND,
                "Requested resource not found: Table: " + name + " not found");
    }

    static ApiException resourceNotFound(String arn) {
        return new ApiException(
                ApiError.RESOURCE_NOT_FOUND,
                "Requested resource not found: ResourcArn: " + arn + " not found");
    }

    static ApiException backedUpTableNotFound(String name) {
        return new ApiException(ApiError.TABLE_NOT_FOUND, "Table not found: " + name);
    }

    static ApiException invalidArn(String arn, String reason) {
        return ApiException.validation(
                "Invalid TableArn: Invalid ResourceArn provided as input " + arn + ": " + reason);
    }

    static ApiException onDemandHasNoThroughput() {
        return invalid(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when"
                        + " BillingMode is PAY_PER_REQUEST");
    }

    static ApiException onDemandIndexHasNoThroughput(String index) {
        return invalid(
                "ProvisionedThroughput should not be specified for index: "
                        + index
                        + " when BillingMode is PAY_PER_REQUEST");
    }

    static ApiException throughputMissing() {
        return invalid(
                "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode"
                        + " is PROVISIONED");
    }

    static ApiException throughputMissing(String index) {
        return invalid("ProvisionedThroughput must be specified for index: " + index);
    }

    static ApiException outOfBounds(String name, long value) {
        return ApiException.validation(
                "Given value " + value + " for " + name + " is out of bounds");
    }

    static ApiException undefinedKeys(Collection<String> keys, Collection<String> definitions) {
        return invalid(
                "Some index key attributes are not defined in AttributeDefinitions. Keys: "
                        + list(keys)
                        + ", AttributeDefinitions: "
                        + list(definitions));
    }

    static ApiException unusedDefinitions() {
        return invalid(
                "Number of attributes in KeySchema does not exactly match number of attributes"
                        + " defined in AttributeDefinitions");
    }

    static ApiException unusedDefinitions(Collection<String> definitions, Collection<String> keys) {
        return invalid(
                "Some AttributeDefinitions are not used. AttributeDefinitions: "
                        + list(definitions)
                        + ", keys used: "
                        + list(keys));
    }

    static ApiException keySchema(String reason) {
        return ApiException.validation("Invalid KeySchema: " + reason);
    }

    static ApiException sameKeyName() {
        return ApiException.validation(
                "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }

    static ApiException nothingToUpdate() {
        return ApiException.validation(
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled,"
                        + " GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is"
                        + " required");
    }

    static ApiException mustBeAlone(String what) {
        return ApiException.validation(what + " must be the only operation in the request");
    }

    static ApiException onDemandWithOthers() {
        return ApiException.validation(
                "OnDemandThroughput can only be combined with BillingMode in an UpdateTable"
                        + " request");
    }

    static ApiException indexWhileThroughputChanges() {
        return ApiException.validation(
                "You cannot create or delete index while updating table IOPS");
    }

    static ApiException noStream(String table) {
        return ApiException.validation("Table has no stream to disable: TableName: " + table);
    }

    static ApiException encryptedByDefault() {
        return invalid("Table is already encrypted by default");
    }

    static ApiException encryptionTypeWithoutEncryption() {
        return invalid("SSEType can not be specified if Enabled is false");
    }

    static ApiException timeToLiveUnknown(String status) {
        return ApiException.validation(
                "Cannot describe time to live while table is in "
                        + status
                        + " state: Current table state is "
                        + status);
    }

    static ApiException globalTableNotFound(String name) {
        return new ApiException(
                ApiError.RESOURCE_NOT_FOUND,
                "Global table with name: '" + name + "' does not exist.");
    }

    static ApiException indexNotFound(String index, String table) {
        return new ApiException(
                ApiError.RESOURCE_NOT_FOUND,
                "Requested resource not found: Index: " + index + " not found for table: " + table);
    }

    static ApiException policyNotFound(String arn) {
        return new ApiException(
                ApiError.POLICY_NOT_FOUND,
                "Resource-based policy not found for the provided ResourceArn: " + arn);
    }

    private static String list(Collection<String> names) {
        return "[" + String.join(", ", names) + "]";
    }
}
