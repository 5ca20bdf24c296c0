package dev.tidemark.query.item;

import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonWriter;
import java.util.OptionalLong;

/** What is told of the size of an item collection: between which whole gigabytes it lies. */
final class ItemCollections {

    private static final int GIGABYTE = 30;

    private ItemCollections() {}

    /** Writes an ItemCollectionMetrics. */
    static void write(TableFacts facts, PrimaryKey key, long bytes, JsonWriter out) {
        String attribute = facts.table().key().partition().get(0).name();
        long gigabytes = bytes >> GIGABYTE;
        out.beginObject();
        out.name("ItemCollectionKey").beginObject();
        out.name(attribute).value(key.partition().get(0));
        out.endObject();
        out.name("SizeEstimateRangeGB")
                .beginArray()
                .number((double) gigabytes)
                .number(gigabytes + 1.0)
                .endArray();
        out.endObject();
    }

    /** Returns the lower bound in the reply to a write, in bytes, if the reply has one. */
    static OptionalLong sizeIn(JsonBody reply) {
        return reply
                .object("ItemCollectionMetrics", "ItemCollectionMetrics")
                .flatMap(metrics -> metrics.numbers("SizeEstimateRangeGB"))
                .stream()
                .mapToLong(range -> range.get(0) << GIGABYTE)
                .findFirst();
    }
}
