package dev.tidemark.query.page;

import dev.tidemark.model.index.IndexLag;
import dev.tidemark.model.item.Item;
import dev.tidemark.query.json.HeadedJson;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.read.IndexFreshness;
import dev.tidemark.wire.JsonBytes;
import java.util.Optional;

/**
 * What was read of one partition.
 *
 * @param items the entries to show as JSON, separated by commas
 * @param count how many are shown
 * @param scanned how many were looked at
 * @param bytes their size by DynamoDB's arithmetic
 * @param fetchedUnits half read units of fetching items from the table, as eventual reads
 * @param last the cursor of the last entry looked at, if the page ended because of its limits;
 *     empty if the data ended
 * @param lag how far the answer may trail the table, if it comes from a global index and that is
 *     known
 */
record PartitionPage(
        JsonBytes items,
        int count,
        int scanned,
        long bytes,
        long fetchedUnits,
        Optional<Item> last,
        Optional<IndexLag> lag) {

    PartitionPage withLag(Optional<IndexLag> known) {
        return new PartitionPage(items, count, scanned, bytes, fetchedUnits, last, known);
    }

    /** Returns the page for another node: the length of a JSON head, the head, the items. */
    byte[] toBytes() {
        JsonWriter head = new JsonWriter();
        head.beginObject()
                .member("Count", count)
                .member("ScannedCount", scanned)
                .member("Bytes", bytes)
                .member("FetchedUnits", fetchedUnits)
                .member("Lag", IndexFreshness.text(lag));
        last.ifPresent(item -> head.name("LastEvaluatedKey").item(item));
        head.endObject();
        return HeadedJson.toBytes(head, items);
    }

    /** Returns the page that another node made these bytes of. */
    static PartitionPage fromBytes(byte[] bytes) {
        HeadedJson answer = HeadedJson.fromBytes(bytes);
        JsonBody head = answer.head();
        return new PartitionPage(
                answer.rest(),
                head.integer("Count").orElse(0),
                head.integer("ScannedCount").orElse(0),
                head.number("Bytes").orElse(0L),
                head.number("FetchedUnits").orElse(0L),
                head.item("LastEvaluatedKey").map(JsonItem::item),
                head.string("Lag").flatMap(IndexFreshness::parse));
    }
}
