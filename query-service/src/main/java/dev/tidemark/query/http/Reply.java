package dev.tidemark.query.http;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a successful operation answers: a JSON body and headers beside the ones every reply has. */
public final class Reply {

    private final byte[] body;
    private final int length;
    private final Map<String, String> headers;

    private Reply(byte[] body, int length, Map<String, String> headers) {
        this.body = body;
        this.length = length;
        this.headers = headers;
    }

    /** Returns a reply with this body, which must not be changed afterwards. */
    public static Reply of(byte[] body) {
        return new Reply(body, body.length, Map.of());
    }

    /**
     * Returns a reply whose body is the first {@code length} bytes of {@code body}, which must not
     * be changed afterwards.
     */
    public static Reply of(byte[] body, int length) {
        return new Reply(body, length, Map.of());
    }

    /** Returns this reply with one more header. */
    public Reply withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(body, length, more);
    }

    /** Returns the array that holds the body in its first {@link #length} bytes, not a copy. */
    public byte[] body() {
        return body;
    }

    /** Returns a copy of the body. */
    public byte[] toByteArray() {
        return Arrays.copyOf(body, length);
    }

    public int length() {
        return length;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
