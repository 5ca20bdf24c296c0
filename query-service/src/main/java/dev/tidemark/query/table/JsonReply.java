package dev.tidemark.query.table;

import dev.tidemark.query.http.Reply;
import dev.tidemark.query.json.JsonWriter;
import java.util.function.Consumer;

/** Replies that are one JSON object. */
final class JsonReply {

    private JsonReply() {}

    static Reply of(Consumer<JsonWriter> members) {
        JsonWriter out = new JsonWriter();
        out.beginObject();
        members.accept(out);
        out.endObject();
        return Reply.of(out.array(), out.size());
    }
}
