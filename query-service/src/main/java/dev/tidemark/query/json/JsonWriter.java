package dev.tidemark.query.json;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Writes JSON into a growing array, putting commas where they belong. It trusts its caller to close
 * what it opens. Not thread-safe.
 */
public final class JsonWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int size;
    private boolean needsComma;

    public JsonWriter() {
        this(512);
    }

    public JsonWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    /** Writes the name of the member that follows. */
    public JsonWriter name(String name) {
        comma();
        quoted(name);
        put((byte) ':');
        needsComma = false;
        return this;
    }

    public JsonWriter string(String value) {
        comma();
        quoted(value);
        needsComma = true;
        return this;
    }

    public JsonWriter number(long value) {
        return ascii(Long.toString(value));
    }

    /** Writes a finite number; a whole one with {@code .0}, as DynamoDB does. */
    public JsonWriter number(double value) {
        return ascii(Double.toString(value));
    }

    public JsonWriter bool(boolean value) {
        return ascii(value ? "true" : "false");
    }

    /** Writes bytes that are one JSON value already. */
    public JsonWriter raw(byte[] json) {
        return raw(json, 0, json.length);
    }

    /** Writes bytes that are one JSON value already. */
    public JsonWriter raw(byte[] json, int from, int length) {
        comma();
        ensure(length);
        System.arraycopy(json, from, bytes, size, length);
        size += length;
        needsComma = true;
        return this;
    }

    /** Writes a member that is a string. */
    public JsonWriter member(String name, String value) {
        return name(name).string(value);
    }

    /** Writes a member that is a whole number. */
    public JsonWriter member(String name, long value) {
        return name(name).number(value);
    }

    /** Writes a member that is a number. */
    public JsonWriter member(String name, double value) {
        return name(name).number(value);
    }

    /** Writes a member that is a truth value. */
    public JsonWriter member(String name, boolean value) {
        return name(name).bool(value);
    }

    /** Writes an item as a map of typed values. */
    public JsonWriter item(Item item) {
        return attributes(item.attributes());
    }

    /** Writes one typed value, as in {@code {"S": "a"}}. */
    public JsonWriter value(AttributeValue value) {
        beginObject();
        if (value instanceof AttributeValue.S string) {
            member("S", string.value());
        } else if (value instanceof AttributeValue.N number) {
            member("N", number.value().text());
        } else if (value instanceof AttributeValue.B binary) {
            name("B").base64(binary.value());
        } else if (value instanceof AttributeValue.Bool bool) {
            member("BOOL", bool.value());
        } else if (value instanceof AttributeValue.Null) {
            member("NULL", true);
        } else if (value instanceof AttributeValue.L list) {
            name("L").beginArray();
            list.values().forEach(this::value);
            endArray();
        } else if (value instanceof AttributeValue.M map) {
            name("M").attributes(map.values());
        } else if (value instanceof AttributeValue.SS strings) {
            name("SS").beginArray();
            strings.values().forEach(this::string);
            endArray();
        } else if (value instanceof AttributeValue.NS numbers) {
            name("NS").beginArray();
            for (Decimal number : numbers.values()) {
                string(number.text());
            }
            endArray();
        } else if (value instanceof AttributeValue.BS binaries) {
            name("BS").beginArray();
            binaries.values().forEach(this::base64);
            endArray();
        } else {
            throw new IllegalStateException("Unknown type of attribute value");
        }
        return endObject();
    }

    /** Returns the number of bytes written. */
    public int size() {
        return size;
    }

    /** Returns the array written into, not a copy: its first {@link #size} bytes count. */
    public byte[] array() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private JsonWriter attributes(Map<String, AttributeValue> attributes) {
        beginObject();
        for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
            name(attribute.getKey()).value(attribute.getValue());
        }
        return endObject();
    }

    private JsonWriter base64(Binary binary) {
        return ascii('"' + Base64.getEncoder().encodeToString(binary.toByteArray()) + '"');
    }

    private JsonWriter open(char bracket) {
        comma();
        put((byte) bracket);
        needsComma = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        put((byte) bracket);
        needsComma = true;
        return this;
    }

    private void comma() {
        if (needsComma) {
            put((byte) ',');
        }
    }

    private JsonWriter ascii(String text) {
        comma();
        ensure(text.length());
        for (int at = 0; at < text.length(); at++) {
            bytes[size++] = (byte) text.charAt(at);
        }
        needsComma = true;
        return this;
    }

    private void quoted(String text) {
        int length = text.length();
        ensure(length * 6 + 2);
        bytes[size++] = '"';
        for (int at = 0; at < length; at++) {
            char c = text.charAt(at);
            if (c < 0x80) {
                if (c >= 0x20 && c != '"' && c != '\\') {
                    bytes[size++] = (byte) c;
                } else {
                    escaped(c);
                }
            } else if (c < 0x800) {
                bytes[size++] = (byte) (0xC0 | (c >> 6));
                bytes[size++] = (byte) (0x80 | (c & 0x3F));
            } else if (Character.isHighSurrogate(c)
                    && at + 1 < length
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++at));
                bytes[size++] = (byte) (0xF0 | (point >> 18));
                bytes[size++] = (byte) (0x80 | ((point >> 12) & 0x3F));
                bytes[size++] = (byte) (0x80 | ((point >> 6) & 0x3F));
                bytes[size++] = (byte) (0x80 | (point & 0x3F));
            } else if (Character.isSurrogate(c)) {
                // half a character has no UTF-8; Java, too, encodes it as a question mark
                bytes[size++] = '?';
            } else {
                bytes[size++] = (byte) (0xE0 | (c >> 12));
                bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
                bytes[size++] = (byte) (0x80 | (c & 0x3F));
            }
        }
        bytes[size++] = '"';
    }

    private void escaped(char c) {
        bytes[size++] = '\\';
        switch (c) {
            case '"', '\\' -> bytes[size++] = (byte) c;
            case '\n' -> bytes[size++] = 'n';
            case '\r' -> bytes[size++] = 'r';
            case '\t' -> bytes[size++] = 't';
            default -> {
                bytes[size++] = 'u';
                bytes[size++] = '0';
                bytes[size++] = '0';
                bytes[size++] = HEX[c >> 4];
                bytes[size++] = HEX[c & 15];
            }
        }
    }

    private void put(byte b) {
        ensure(1);
        bytes[size++] = b;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
