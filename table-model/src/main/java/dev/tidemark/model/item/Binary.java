package dev.tidemark.model.item;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of bytes, ordered as unsigned bytes. */
public final class Binary implements Comparable<Binary> {

    public static final Binary EMPTY = new Binary(new byte[0]);

    private final byte[] bytes;

    private Binary(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a value holding a copy of {@code bytes}. */
    public static Binary copyOf(byte[] bytes) {
        return new Binary(bytes.clone());
    }

    /**
     * Returns a value that takes over {@code bytes}; the caller must not change them afterwards.
     */
    public static Binary wrap(byte[] bytes) {
        return new Binary(bytes);
    }

    /** Returns the number of bytes. */
    public int size() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** Returns a read-only view of the bytes. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public boolean startsWith(Binary prefix) {
        return bytes.length >= prefix.bytes.length
                && Arrays.equals(
                        bytes, 0, prefix.bytes.length, prefix.bytes, 0, prefix.bytes.length);
    }

    /**
     * Returns whether {@code part} occurs in these bytes; the empty value occurs in every value.
     */
    public boolean contains(Binary part) {
        for (int at = 0; at + part.bytes.length <= bytes.length; at++) {
            if (Arrays.equals(
                    bytes, at, at + part.bytes.length, part.bytes, 0, part.bytes.length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int compareTo(Binary other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Binary binary && Arrays.equals(bytes, binary.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
