package dev.tidemark.query.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** The headers that let scripts of other origins see answers: any origin may, as with DynamoDB. */
final class CrossOrigin {

    private static final String EXPOSED =
            "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";
    private static final String MAX_AGE_SECONDS = "172800";

    private CrossOrigin() {}

    /** Adds the headers of an answer, if the request comes from a script. */
    static void answer(HttpServerRequest request) {
        if (request.getHeader(HttpHeaders.ORIGIN) == null) {
            return;
        }
        request.response()
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }

    /** Adds the headers of an answer to the question which requests are allowed: any. */
    static void preflight(HttpServerRequest request) {
        if (request.getHeader(HttpHeaders.ORIGIN) == null) {
            return;
        }
        answer(request);
        request.response().putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
        echo(
                request,
                HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS,
                HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS);
        echo(
                request,
                HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD,
                HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS);
    }

    private static void echo(HttpServerRequest request, CharSequence asked, CharSequence allowed) {
        HttpServerResponse response = request.response();
        String value = request.getHeader(asked);
        if (value != null) {
            response.putHeader(allowed, value);
        }
    }
}
