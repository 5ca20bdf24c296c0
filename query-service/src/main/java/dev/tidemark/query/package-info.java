/**
 * Answers clients: HTTP, the DynamoDB operations, routing to the owner of a partition, reads,
 * metrics and the console.
 *
 * <p>Nothing here appends to a topic or applies a change itself; ports stand for the other
 * services.
 */
@NullMarked
package dev.tidemark.query;

import org.jspecify.annotations.NullMarked;
