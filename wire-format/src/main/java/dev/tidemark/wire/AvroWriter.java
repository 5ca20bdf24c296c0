package dev.tidemark.wire;

import dev.tidemark.model.item.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes Avro's binary encoding into a growing run of bytes. Not thread-safe. */
final class AvroWriter {

    private byte[] bytes;
    private int size;

    AvroWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toByteArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    void writeByte(int b) {
        ensure(1);
        bytes[size++] = (byte) b;
    }

    /** Writes four bytes, big-endian; not an Avro int. */
    void writeFixed32(int value) {
        ensure(4);
        bytes[size++] = (byte) (value >>> 24);
        bytes[size++] = (byte) (value >>> 16);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
    }

    /** Writes eight bytes, big-endian; not an Avro long. */
    void writeFixed64(long value) {
        writeFixed32((int) (value >>> 32));
        writeFixed32((int) value);
    }

    void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    void writeLong(long value) {
        ensure(10);
        long zigzag = (value << 1) ^ (value >> 63);
        while ((zigzag & ~0x7FL) != 0) {
            bytes[size++] = (byte) (zigzag | 0x80);
            zigzag >>>= 7;
        }
        bytes[size++] = (byte) zigzag;
    }

    void writeString(String text) {
        int length = Utf8.length(text);
        writeLong(length);
        ensure(length);
        if (length == text.length()) {
            writeAscii(text, length);
        } else {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(utf8, 0, bytes, size, utf8.length);
            size += utf8.length;
        }
    }

    void writeBytes(byte[] value) {
        writeLong(value.length);
        writeRaw(value, 0, value.length);
    }

    void writeRaw(byte[] from, int start, int end) {
        int length = end - start;
        ensure(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
    }

    /** Writes a text whose UTF-8 has a byte for a character: ASCII, or a surrogate without mate. */
    private void writeAscii(String text, int length) {
        for (int at = 0; at < length; at++) {
            char c = text.charAt(at);
            bytes[size++] = (byte) (c < 0x80 ? c : '?');
        }
    }

    private void ensure(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
