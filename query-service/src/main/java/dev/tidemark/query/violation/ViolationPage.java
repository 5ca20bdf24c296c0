package dev.tidemark.query.violation;

import dev.tidemark.model.item.Item;
import dev.tidemark.query.json.HeadedJson;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.wire.JsonBytes;
import java.util.Optional;

/**
 * What is listed of one partition.
 *
 * @param violations as JSON, separated by commas
 * @param count how many
 * @param last the key of the last item listed, if the page ended because of its limits; empty if
 *     the list ended
 */
record ViolationPage(JsonBytes violations, int count, Optional<Item> last) {

    /** Returns the page for another node. */
    byte[] toBytes() {
        JsonWriter head = new JsonWriter();
        head.beginObject().member("Count", count);
        last.ifPresent(key -> head.name("LastEvaluatedKey").item(key));
        head.endObject();
        return HeadedJson.toBytes(head, violations);
    }

    /** Returns the page that another node made these bytes of. */
    static ViolationPage fromBytes(byte[] bytes) {
        HeadedJson answer = HeadedJson.fromBytes(bytes);
        return new ViolationPage(
                answer.rest(),
                answer.head().integer("Count").orElse(0),
                answer.head().item("LastEvaluatedKey").map(JsonItem::item));
    }
}
