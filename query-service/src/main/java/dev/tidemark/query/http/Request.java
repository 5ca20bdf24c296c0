package dev.tidemark.query.http;

import dev.tidemark.query.json.JsonBody;
import java.util.Optional;

/** One request for an operation, its body complete and no longer compressed. */
public final class Request {

    private final String operation;
    private final byte[] body;
    private final Headers headers;

    /**
     * Makes a request.
     *
     * @param operation the operation's name, without the API version
     * @param body the JSON body; must not be changed afterwards
     * @param headers the request's headers
     */
    public Request(String operation, byte[] body, Headers headers) {
        this.operation = operation;
        this.body = body;
        this.headers = headers;
    }

    public String operation() {
        return operation;
    }

    /** Returns the body itself, not a copy; it must not be changed. */
    public byte[] body() {
        return body;
    }

    /**
     * Parses the body.
     *
     * @throws dev.tidemark.model.error.ApiException a SerializationException if it is no JSON
     *     object
     */
    public JsonBody json() {
        return JsonBody.parse(body);
    }

    /** Returns this request with one more header, or another value of one it has. */
    public Request withHeader(String name, String value) {
        return new Request(
                operation,
                body,
                asked -> asked.equalsIgnoreCase(name) ? Optional.of(value) : headers.first(asked));
    }

    /** Returns the value of a header, its name in any case; of a repeated one, the first. */
    public Optional<String> header(String name) {
        return headers.first(name);
    }
}
