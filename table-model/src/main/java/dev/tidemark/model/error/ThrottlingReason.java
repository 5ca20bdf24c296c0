package dev.tidemark.model.error;

/**
 * Why a request was throttled. Source: the DynamoDB API reference, ThrottlingReason.
 *
 * @param reason what was exceeded
 * @param resource the ARN of the table or index it belongs to
 */
public record ThrottlingReason(String reason, String resource) {}
