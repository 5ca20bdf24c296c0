package dev.tidemark.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads Avro's binary encoding from front to back and trusts nothing: no length, count or index
 * leads past the end, and nothing is allocated that the bytes left could not fill. Not thread-safe.
 */
final class AvroReader {

    private static final String TRUNCATED = "Invalid Avro: truncated";

    final byte[] bytes;
    final int end;
    int at;

    AvroReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    int remaining() {
        return end - at;
    }

    void expectEnd() {
        if (at != end) {
            throw new WireFormatException("Invalid Avro: bytes after the end");
        }
    }

    boolean readBoolean() {
        if (at >= end) {
            throw new WireFormatException(TRUNCATED);
        }
        byte b = bytes[at++];
        if (b != 0 && b != 1) {
            throw new WireFormatException("Invalid Avro: neither true nor false");
        }
        return b == 1;
    }

    int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw new WireFormatException("Invalid Avro: int out of range");
        }
        return (int) value;
    }

    long readLong() {
        int from = at;
        if (from < end) {
            long first = bytes[from];
            if (first >= 0) {
                at = from + 1;
                return (first >>> 1) ^ -(first & 1);
            }
        }
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                throw new WireFormatException(TRUNCATED);
            }
            byte b = bytes[at++];
            if (shift == 63 && b != 0 && b != 1) {
                break;
            }
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new WireFormatException("Invalid Avro: number too long");
    }

    /**
     * Reads the index of a union's branch or an enum's symbol, of which there are {@code count}.
     */
    int readIndex(int count) {
        long index = readLong();
        if (index < 0 || index >= count) {
            throw new WireFormatException("Invalid Avro: no such branch");
        }
        return (int) index;
    }

    /** Reads the length of a string or bytes; as many bytes are left. */
    int readLength() {
        long length = readLong();
        if (length < 0 || length > end - at) {
            throw new WireFormatException("Invalid Avro: length");
        }
        return (int) length;
    }

    /**
     * Reads the head of a block of an array or map and returns how many elements follow, 0 at the
     * end. What a block says of its size in bytes is not relied on.
     *
     * @param elementSize the fewest bytes an element has, at least 1
     */
    int readBlock(int elementSize) {
        long count = readLong();
        if (count < 0) {
            readLength();
            count = -count;
        }
        if (count < 0 || count > (end - at) / elementSize) {
            throw new WireFormatException("Invalid Avro: count");
        }
        return (int) count;
    }

    /**
     * Reads a string.
     *
     * @throws WireFormatException also if its bytes are not UTF-8: were they replaced, two keys
     *     could become one
     */
    String readString() {
        int length = readLength();
        int from = at;
        at = from + length;
        String text = new String(bytes, from, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0
                && !Arrays.equals(
                        text.getBytes(StandardCharsets.UTF_8),
                        Arrays.copyOfRange(bytes, from, at))) {
            throw new WireFormatException("Invalid Avro: string is not UTF-8");
        }
        return text;
    }

    byte[] readBytes() {
        int length = readLength();
        int from = at;
        at = from + length;
        return Arrays.copyOfRange(bytes, from, at);
    }

    void skipBytes() {
        int length = readLength();
        at += length;
    }

    void skip(int length) {
        if (length > end - at) {
            throw new WireFormatException(TRUNCATED);
        }
        at += length;
    }
}
