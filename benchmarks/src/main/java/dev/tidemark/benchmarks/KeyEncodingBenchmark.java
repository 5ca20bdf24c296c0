package dev.tidemark.benchmarks;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The bytes of keys, which every read and write makes a few of. */
@State(Scope.Benchmark)
public class KeyEncodingBenchmark {

    private final Item reading = SensorReadings.reading(4_321);
    private final PrimaryKey key = SensorReadings.keyOf(reading);
    private final AttributeValue text = SensorReadings.string("2026-01-01T00:04:00.321Z");
    private final AttributeValue number = SensorReadings.number("1767225600000.25");
    private final PrimaryKey byBuilding =
            new PrimaryKey(List.of(SensorReadings.string("building-21")), List.of(text));
    private final PrimaryKey byQuality =
            new PrimaryKey(key.partition(), List.of(SensorReadings.number("71")));
    private final byte[] encodedText = encoded(text);
    private final byte[] encodedNumber = encoded(number);

    /** Encodes a string of 24 characters. */
    @Benchmark
    public byte[] encodeString() {
        return encoded(text);
    }

    /** Encodes a number of 15 digits. */
    @Benchmark
    public byte[] encodeNumber() {
        return encoded(number);
    }

    /** Decodes a string of 24 characters. */
    @Benchmark
    public AttributeValue decodeString() {
        return KeyEncoding.read(new KeyBytes.Reader(encodedText, 0));
    }

    /** Decodes a number of 15 digits. */
    @Benchmark
    public AttributeValue decodeNumber() {
        return KeyEncoding.read(new KeyBytes.Reader(encodedNumber, 0));
    }

    /** Makes the key of an item with two key attributes. */
    @Benchmark
    public byte[] itemKey() {
        return StorageKeys.item(key);
    }

    /** Makes the key of an entry of a local index. */
    @Benchmark
    public byte[] localEntryKey() {
        return StorageKeys.localEntry(1, byQuality, key);
    }

    /** Makes the key of an entry of a global index: four attributes. */
    @Benchmark
    public byte[] globalEntryKey() {
        return StorageKeys.globalEntry(byBuilding, key);
    }

    /** Takes the key values out of an item and finds their partition. */
    @Benchmark
    public int partitionOfItem() {
        PrimaryKey found = SensorReadings.keyOf(reading);
        return Partitioning.partition(Partitioning.recordKey(found.partition()), 8);
    }

    private static byte[] encoded(AttributeValue value) {
        KeyBytes out = new KeyBytes();
        KeyEncoding.write(value, out);
        return out.toByteArray();
    }
}
