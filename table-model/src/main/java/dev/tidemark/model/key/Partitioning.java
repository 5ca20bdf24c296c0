package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where a partition key value is placed: its canonical bytes, their hash, the partition the hash
 * falls into.
 *
 * <p>The hash is the one of Kafka's default partitioner (murmur2), so a producer that sends the
 * canonical bytes as the record key places its records rightly without knowing about us.
 */
public final class Partitioning {

    private Partitioning() {}

    /**
     * Returns the canonical bytes of a partition key: of one value its UTF-8, canonical decimal
     * text or raw bytes; of several values their encodings one after another.
     */
    public static byte[] recordKey(List<AttributeValue> partitionKey) {
        if (partitionKey.size() > 1) {
            KeyBytes out = new KeyBytes();
            partitionKey.forEach(value -> KeyEncoding.write(value, out));
            return out.toByteArray();
        }
        AttributeValue value = partitionKey.get(0);
        if (value instanceof AttributeValue.S string) {
            return string.value().getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof AttributeValue.N number) {
            return number.value().text().getBytes(StandardCharsets.US_ASCII);
        }
        if (value instanceof AttributeValue.B binary) {
            return binary.value().toByteArray();
        }
        throw new IllegalArgumentException("Invalid key value: type " + value.type());
    }

    /** Returns the partition, from 0 to {@code partitions - 1}, that owns {@code recordKey}. */
    public static int partition(byte[] recordKey, int partitions) {
        return (murmur2(recordKey) & 0x7FFFFFFF) % partitions;
    }

    /**
     * Returns the place of {@code recordKey} in hash order, 0 to 65,535: the first two bytes of its
     * storage keys.
     */
    public static int hash16(byte[] recordKey) {
        return murmur2(recordKey) >>> 16;
    }

    private static int murmur2(byte[] data) {
        int length = data.length;
        int h = 0x9747b28c ^ length;
        int at = 0;
        for (; at + 4 <= length; at += 4) {
            int k =
                    (data[at] & 0xFF)
                            | ((data[at + 1] & 0xFF) << 8)
                            | ((data[at + 2] & 0xFF) << 16)
                            | ((data[at + 3] & 0xFF) << 24);
            k *= 0x5bd1e995;
            k ^= k >>> 24;
            k *= 0x5bd1e995;
            h = (h * 0x5bd1e995) ^ k;
        }
        int rest = length - at;
        if (rest > 0) {
            if (rest == 3) {
                h ^= (data[at + 2] & 0xFF) << 16;
            }
            if (rest >= 2) {
                h ^= (data[at + 1] & 0xFF) << 8;
            }
            h ^= data[at] & 0xFF;
            h *= 0x5bd1e995;
        }
        h ^= h >>> 13;
        h *= 0x5bd1e995;
        return h ^ (h >>> 15);
    }
}
