package dev.tidemark.query.http;

import java.nio.charset.StandardCharsets;

/** What a front end answers to a GET beside DynamoDB's API. */
public final class Page {

    private final int status;
    private final String contentType;
    private final byte[] body;

    /**
     * Makes a page.
     *
     * @param body must not be changed afterwards
     */
    public Page(int status, String contentType, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
    }

    /** Returns a page of plain text. */
    public static Page text(int status, String text) {
        return new Page(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a page of JSON. */
    public static Page json(int status, String json) {
        return new Page(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    public int status() {
        return status;
    }

    public String contentType() {
        return contentType;
    }

    /** Returns the body itself, not a copy. */
    public byte[] body() {
        return body;
    }
}
