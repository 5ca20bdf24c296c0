package dev.tidemark.gsi.projection;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.ItemJson;
import dev.tidemark.wire.JsonBytes;

/**
 * How items without a place in an index are listed: under the item's storage key, as JSON text that
 * any tool can read. Stateless, thread-safe.
 */
public final class ViolationRecord {

    /*
     * Format: UTF-8. Members may be added; those there are keep their names and meaning, because
     * programs read them from the topic and from the operation that lists them.
     *
     *   {"Key": {DynamoDB's JSON of the item's key}, "TableName", "IndexName", "Generation",
     *    "AttributeName", "KeyType": "HASH" or "RANGE", "Violation": "WRONG_TYPE", "EMPTY" or
     *    "TOO_LONG", "Reason": in words, "ExpectedType", "ActualType", "Size", "SizeLimit",
     *    "Partition" of the table, "SequenceNumber" of the change there, "Time" in ISO 8601}
     */

    private final TableDefinition table;
    private final IndexId index;

    public ViolationRecord(TableDefinition table, GlobalIndex index) {
        this.table = table;
        this.index = IndexId.of(table, index);
    }

    /** Returns the key under which the changed item is listed. */
    public static byte[] key(ChangeRecord change) {
        return StorageKeys.item(change.key());
    }

    /** Returns the text that tells why the item has no place in the index after the change. */
    public byte[] text(ChangeRecord change, Unsuitable why) {
        JsonBytes out = new JsonBytes(512);
        ItemJson.write(table.key().toItem(change.key()), out.putAscii("{\"Key\":"));
        text("TableName", table.name().value(), out);
        text("IndexName", index.index().value(), out);
        number("Generation", index.generation(), out);
        text("AttributeName", why.attribute().name(), out);
        text("KeyType", why.isPartition() ? "HASH" : "RANGE", out);
        text("Violation", why.violation().name(), out);
        text("Reason", why.reason(), out);
        text("ExpectedType", why.attribute().type().name(), out);
        text("ActualType", why.actual().name(), out);
        number("Size", why.size(), out);
        number("SizeLimit", why.sizeLimit(), out);
        number("Partition", change.origin().position().partition(), out);
        number("SequenceNumber", change.origin().position().sequence(), out);
        text("Time", change.origin().time().toString(), out);
        return out.put('}').toByteArray();
    }

    private static void text(String name, String value, JsonBytes out) {
        out.put(',').putString(name).put(':').putString(value);
    }

    private static void number(String name, long value, JsonBytes out) {
        out.put(',').putString(name).put(':').putNumber(value);
    }
}
