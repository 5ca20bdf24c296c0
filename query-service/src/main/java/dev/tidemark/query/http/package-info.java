/**
 * DynamoDB's JSON 1.0 over HTTP: requests in, replies and errors out; not what an operation does.
 *
 * <p>An {@link dev.tidemark.query.http.Operation} is given the body as bytes and parses it itself,
 * as a rule with {@link dev.tidemark.query.json.JsonBody}; it answers with the bytes of the reply
 * body, as a rule made by {@link dev.tidemark.query.json.JsonWriter}. It fails with {@link
 * dev.tidemark.model.error.ApiException}, thrown or in its stage; anything else it fails with is a
 * bug and answered as an InternalServerError.
 *
 * <p>Operations are called on event loops (large bodies: on a worker), so they must not block; what
 * may block goes to the worker executor that the front end hands out.
 */
@NullMarked
package dev.tidemark.query.http;

import org.jspecify.annotations.NullMarked;
