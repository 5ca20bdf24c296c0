package dev.tidemark.model.key;

import java.util.Arrays;

/** A growing run of key bytes. Not thread-safe. */
public final class KeyBytes {

    private byte[] bytes;
    private int size;

    public KeyBytes() {
        this(96);
    }

    public KeyBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    public void put(byte b) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, size * 2 + 16);
        }
        bytes[size++] = b;
    }

    public void putShort(int value) {
        put((byte) (value >>> 8));
        put((byte) value);
    }

    public void putInt(int value) {
        putShort(value >>> 16);
        putShort(value);
    }

    public void put(byte[] more) {
        if (size + more.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size * 2, size + more.length) + 16);
        }
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    public int size() {
        return size;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /**
     * Returns the smallest key above every key that begins with {@code prefix}, or an empty array
     * if there is none.
     */
    public static byte[] successor(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
            length--;
        }
        byte[] next = Arrays.copyOf(prefix, length);
        if (length > 0) {
            next[length - 1]++;
        }
        return next;
    }

    /** Reads key bytes from front to back. Not thread-safe. */
    public static final class Reader {

        private final byte[] bytes;
        private int at;

        public Reader(byte[] bytes, int from) {
            this.bytes = bytes;
            this.at = from;
        }

        /**
         * Returns the next byte.
         *
         * @throws IllegalArgumentException if there is none
         */
        public byte next() {
            if (at >= bytes.length) {
                throw new IllegalArgumentException("Invalid key encoding: truncated");
            }
            return bytes[at++];
        }

        public boolean hasNext() {
            return at < bytes.length;
        }

        public int position() {
            return at;
        }
    }
}
