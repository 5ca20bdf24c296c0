package dev.tidemark.benchmarks;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.ItemJson;
import dev.tidemark.wire.JsonBytes;
import dev.tidemark.wire.StoredItems;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Items to bytes and back, and the two ways from stored bytes to JSON. */
@State(Scope.Thread)
public class ItemCodecBenchmark {

    private final Item reading = SensorReadings.reading(4_321);
    private final byte[] stored = ItemCodec.encode(reading);
    private final JsonBytes json = new JsonBytes();

    /** Makes the stored form. */
    @Benchmark
    public byte[] encode() {
        return ItemCodec.encode(reading);
    }

    /** Makes an item of its stored form. */
    @Benchmark
    public Item decode() {
        return ItemCodec.decode(stored);
    }

    /** Writes JSON from the stored form directly. */
    @Benchmark
    public int storedToJson() {
        json.clear();
        StoredItems.writeJson(stored, json);
        return json.size();
    }

    /** Writes JSON by way of an item. */
    @Benchmark
    public int storedToItemToJson() {
        json.clear();
        ItemJson.write(ItemCodec.decode(stored), json);
        return json.size();
    }

    /** Finds one attribute in the stored form. */
    @Benchmark
    public Optional<AttributeValue> storedAttribute() {
        return StoredItems.attribute(stored, SensorReadings.QUALITY_SCORE);
    }

    /** Computes an item's size from the stored form. */
    @Benchmark
    public int storedSize() {
        return StoredItems.size(stored);
    }
}
