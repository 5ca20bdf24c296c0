package dev.tidemark.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing run of bytes that JSON is written into, as UTF-8. It does not check that the whole is
 * JSON. Not thread-safe.
 *
 * <p>In strings only what must be escaped is: the quote, the backslash and control characters.
 */
public final class JsonBytes {

    private static final byte[] HEX = ascii("0123456789ABCDEF");
    private static final byte[] BASE64 =
            ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

    /** For each ASCII character: 0 if it stands for itself, else what follows the backslash. */
    private static final byte[] ESCAPES = new byte[128];

    static {
        Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
        ESCAPES['\b'] = 'b';
        ESCAPES['\t'] = 't';
        ESCAPES['\n'] = 'n';
        ESCAPES['\f'] = 'f';
        ESCAPES['\r'] = 'r';
        ESCAPES['"'] = '"';
        ESCAPES['\\'] = '\\';
    }

    private byte[] bytes;
    private int size;

    public JsonBytes() {
        this(1024);
    }

    public JsonBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    /** Forgets everything, to be filled anew. */
    public void clear() {
        size = 0;
    }

    /** Forgets everything behind the first {@code length} bytes. */
    public void truncate(int length) {
        if (length < 0 || length > size) {
            throw new IllegalArgumentException("Invalid length: beyond the end");
        }
        size = length;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns a view of the bytes, valid until the next change. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** Returns the backing array, valid until the next change; only {@link #size()} bytes count. */
    public byte[] array() {
        return bytes;
    }

    /** Appends one ASCII character as it is. */
    public JsonBytes put(char ascii) {
        ensure(1);
        bytes[size++] = (byte) ascii;
        return this;
    }

    /** Appends bytes as they are. */
    public JsonBytes put(byte[] from, int start, int end) {
        int length = end - start;
        ensure(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
        return this;
    }

    /** Appends ASCII characters as they are. */
    @SuppressWarnings("deprecation") // the copy of low bytes is what is wanted of ASCII
    public JsonBytes putAscii(String text) {
        int length = text.length();
        ensure(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    /** Appends a decimal number. */
    public JsonBytes putNumber(long value) {
        return putAscii(Long.toString(value));
    }

    /** Appends {@code text} as a JSON string, quotes included. */
    public JsonBytes putString(String text) {
        int length = text.length();
        ensure(length + 2);
        bytes[size++] = '"';
        for (int at = 0; at < length; at++) {
            char c = text.charAt(at);
            if (c < 0x80) {
                if (ESCAPES[c] == 0) {
                    ensure(1);
                    bytes[size++] = (byte) c;
                } else {
                    putEscaped(c);
                }
            } else if (Character.isHighSurrogate(c)
                    && at + 1 < length
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                at++;
                putCodePoint(Character.toCodePoint(c, text.charAt(at)));
            } else {
                putCodePoint(Character.isSurrogate(c) ? '?' : c);
            }
        }
        return put('"');
    }

    /** Appends a run of UTF-8 as a JSON string, quotes included. */
    public JsonBytes putString(byte[] utf8, int start, int end) {
        ensure(end - start + 2);
        bytes[size++] = '"';
        int copied = start;
        for (int at = start; at < end; at++) {
            byte b = utf8[at];
            if (b >= 0 && ESCAPES[b] != 0) {
                put(utf8, copied, at);
                putEscaped(b);
                copied = at + 1;
            }
        }
        put(utf8, copied, end);
        return put('"');
    }

    /** Appends bytes in Base64, with padding, without quotes. */
    public JsonBytes putBase64(byte[] from, int start, int end) {
        int length = end - start;
        ensure((int) Math.min(Integer.MAX_VALUE, (length + 2L) / 3 * 4));
        int at = start;
        for (; at + 2 < end; at += 3) {
            int three =
                    (from[at] & 0xFF) << 16 | (from[at + 1] & 0xFF) << 8 | (from[at + 2] & 0xFF);
            bytes[size++] = BASE64[three >>> 18];
            bytes[size++] = BASE64[three >>> 12 & 0x3F];
            bytes[size++] = BASE64[three >>> 6 & 0x3F];
            bytes[size++] = BASE64[three & 0x3F];
        }
        if (at + 1 == end) {
            int one = from[at] & 0xFF;
            bytes[size++] = BASE64[one >>> 2];
            bytes[size++] = BASE64[one << 4 & 0x3F];
            bytes[size++] = '=';
            bytes[size++] = '=';
        } else if (at + 2 == end) {
            int two = (from[at] & 0xFF) << 8 | (from[at + 1] & 0xFF);
            bytes[size++] = BASE64[two >>> 10];
            bytes[size++] = BASE64[two >>> 4 & 0x3F];
            bytes[size++] = BASE64[two << 2 & 0x3F];
            bytes[size++] = '=';
        }
        return this;
    }

    private void putEscaped(int c) {
        ensure(6);
        byte escape = ESCAPES[c];
        bytes[size++] = '\\';
        bytes[size++] = escape;
        if (escape == 'u') {
            bytes[size++] = '0';
            bytes[size++] = '0';
            bytes[size++] = HEX[c >>> 4];
            bytes[size++] = HEX[c & 0xF];
        }
    }

    private void putCodePoint(int c) {
        ensure(4);
        if (c < 0x80) {
            bytes[size++] = (byte) c;
        } else if (c < 0x800) {
            bytes[size++] = (byte) (0xC0 | (c >>> 6));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            bytes[size++] = (byte) (0xE0 | (c >>> 12));
            bytes[size++] = (byte) (0x80 | (c >>> 6 & 0x3F));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
        } else {
            bytes[size++] = (byte) (0xF0 | (c >>> 18));
            bytes[size++] = (byte) (0x80 | (c >>> 12 & 0x3F));
            bytes[size++] = (byte) (0x80 | (c >>> 6 & 0x3F));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
        }
    }

    private void ensure(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more) + 16);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
