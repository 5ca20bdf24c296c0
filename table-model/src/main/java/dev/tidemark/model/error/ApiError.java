package dev.tidemark.model.error;

/**
 * The errors callers are answered with; the only place that knows their wire names and statuses.
 * Source: the DynamoDB API reference and what Amazon's endpoints send.
 */
public enum ApiError {
    VALIDATION(400, "com.amazon.coral.validate#ValidationException"),
    SERIALIZATION(400, "com.amazon.coral.service#SerializationException"),
    UNKNOWN_OPERATION(400, "com.amazon.coral.service#UnknownOperationException"),
    MISSING_AUTHENTICATION_TOKEN(
            400, "com.amazon.coral.service#MissingAuthenticationTokenException"),
    INCOMPLETE_SIGNATURE(400, "com.amazon.coral.service#IncompleteSignatureException"),
    ACCESS_DENIED(400, "com.amazon.coral.service#AccessDeniedException"),
    RESOURCE_NOT_FOUND(400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"),
    RESOURCE_IN_USE(400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"),
    TABLE_NOT_FOUND(400, "com.amazonaws.dynamodb.v20120810#TableNotFoundException"),
    POLICY_NOT_FOUND(400, "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"),
    CONDITION_FAILED(400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"),
    LIMIT_EXCEEDED(400, "com.amazonaws.dynamodb.v20120810#LimitExceededException"),
    ITEM_COLLECTION_SIZE_LIMIT(
            400, "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"),
    /** Retryable: the caller asks for more than the table's or index's share. */
    THROUGHPUT_EXCEEDED(
            400, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"),
    /** Retryable: too many requests at once. */
    THROTTLING(400, "com.amazon.coral.availability#ThrottlingException"),
    REQUEST_TOO_LARGE(413, "com.amazon.coral.service#RequestEntityTooLargeException"),
    /**
     * Retryable: a partition is moving, restoring or overloaded; for a write, it is not known
     * whether it was applied.
     */
    SERVICE_UNAVAILABLE(503, "com.amazon.coral.availability#ServiceUnavailableException"),
    /** Retryable: a promise of ours is broken, or the outcome of a write is not known. */
    INTERNAL(500, "com.amazonaws.dynamodb.v20120810#InternalServerError");

    private final int status;
    private final String wireName;

    ApiError(int status, String wireName) {
        this.status = status;
        this.wireName = wireName;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the {@code __type}. */
    public String wireName() {
        return wireName;
    }

    /** Returns whether the same request may succeed later without being changed. */
    public boolean isRetryable() {
        return status >= 500 || this == THROUGHPUT_EXCEEDED || this == THROTTLING;
    }
}
