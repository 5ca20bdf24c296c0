package dev.tidemark.query.read;

import java.util.Arrays;

/** A run of storage keys. Immutable; the arrays it is made of and gives out must not be changed. */
public final class KeySpan {

    private static final byte[] NO_END = new byte[0];

    private final byte[] from;
    private final byte[] to;

    private KeySpan(byte[] from, byte[] to) {
        this.from = from;
        this.to = to;
    }

    /**
     * Returns the keys from {@code from} on to before {@code to}; an empty {@code to} is no end.
     */
    public static KeySpan between(byte[] from, byte[] to) {
        return new KeySpan(from, to);
    }

    /** Returns the first key that may be in the span. */
    public byte[] from() {
        return from;
    }

    /** Returns the first key behind the span, or an empty array if it has no end. */
    public byte[] to() {
        return to;
    }

    public boolean hasEnd() {
        return to.length > 0;
    }

    public boolean isEmpty() {
        return hasEnd() && Arrays.compareUnsigned(from, to) >= 0;
    }

    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(key, from) >= 0
                && (!hasEnd() || Arrays.compareUnsigned(key, to) < 0);
    }

    /** Returns the part of this span strictly after {@code key}. */
    public KeySpan after(byte[] key) {
        byte[] next = Arrays.copyOf(key, key.length + 1);
        return Arrays.compareUnsigned(next, from) > 0 ? new KeySpan(next, to) : this;
    }

    /** Returns the part of this span strictly before {@code key}. */
    public KeySpan before(byte[] key) {
        return !hasEnd() || Arrays.compareUnsigned(key, to) < 0 ? new KeySpan(from, key) : this;
    }

    /** Returns the span of all keys from {@code from} on. */
    public static KeySpan from(byte[] from) {
        return new KeySpan(from, NO_END);
    }
}
