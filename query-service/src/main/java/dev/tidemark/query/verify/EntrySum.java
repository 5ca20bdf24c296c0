package dev.tidemark.query.verify;

import java.util.HexFormat;

/**
 * Entries counted, and their hashes added up to 128 bits: two sets of entries have the same sum
 * whatever the order they are met in, and others never, in practice. Not thread-safe.
 */
final class EntrySum {

    private long count;
    private long high;
    private long low;

    void add(Hash128 hash) {
        count++;
        add(hash.high(), hash.low());
    }

    void add(EntrySum other) {
        count += other.count;
        add(other.high, other.low);
    }

    private void add(long addedHigh, long addedLow) {
        long sum = low + addedLow;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        low = sum;
        high += addedHigh + carry;
    }

    long count() {
        return count;
    }

    /** Returns the sum in 32 hexadecimal digits. */
    String digest() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }

    boolean isSameAs(EntrySum other) {
        return count == other.count && high == other.high && low == other.low;
    }
}
