package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The order-preserving, self-delimiting bytes of key values: {@code enc} of the storage keys.
 *
 * <p>For two values of one type the unsigned order of the bytes is the order of the values, and
 * neither's bytes are a prefix of the other's, so values can be put one after another and still
 * sort by the first, then the second. A byte that is never 0 tells the type.
 *
 * <pre>
 * S  'S' utf-8, 0x00 written as 0x00 0xFF, end 0x00 0x00
 * B  'B' bytes, 0x00 written as 0x00 0xFF, end 0x00 0x00
 * N  'N' 2                                                   zero
 *    'N' 3 (exponent + 130) (digit pair + 1)... 0            positive
 *    'N' 1 and the complement of the rest of the positive    negative
 * </pre>
 */
public final class KeyEncoding {

    private static final byte TAG_S = 'S';
    private static final byte TAG_N = 'N';
    private static final byte TAG_B = 'B';
    private static final byte NEGATIVE = 1;
    private static final byte ZERO = 2;
    private static final byte POSITIVE = 3;
    private static final int EXPONENT_BIAS = 130;

    private KeyEncoding() {}

    /**
     * Appends the encoding of {@code value}.
     *
     * @throws IllegalArgumentException if the value is not of a key type
     */
    public static void write(AttributeValue value, KeyBytes out) {
        if (value instanceof AttributeValue.S string) {
            out.put(TAG_S);
            writeEscaped(string.value().getBytes(StandardCharsets.UTF_8), out);
            writeEnd(out);
        } else if (value instanceof AttributeValue.N number) {
            out.put(TAG_N);
            writeNumber(number.value(), out);
        } else if (value instanceof AttributeValue.B binary) {
            out.put(TAG_B);
            writeEscaped(binary.value().toByteArray(), out);
            writeEnd(out);
        } else {
            throw new IllegalArgumentException("Invalid key value: type " + value.type());
        }
    }

    /**
     * Appends the bytes with which the encoding of every value that begins with {@code prefix}
     * begins.
     *
     * @throws IllegalArgumentException if the value is neither a string nor a binary
     */
    public static void writePrefix(AttributeValue prefix, KeyBytes out) {
        if (prefix instanceof AttributeValue.S string) {
            out.put(TAG_S);
            writeEscaped(string.value().getBytes(StandardCharsets.UTF_8), out);
        } else if (prefix instanceof AttributeValue.B binary) {
            out.put(TAG_B);
            writeEscaped(binary.value().toByteArray(), out);
        } else {
            throw new IllegalArgumentException("Invalid key prefix: type " + prefix.type());
        }
    }

    /**
     * Reads one encoded value and moves past it.
     *
     * @throws IllegalArgumentException if the bytes are no encoding
     */
    public static AttributeValue read(KeyBytes.Reader in) {
        byte tag = in.next();
        return switch (tag) {
            case TAG_S -> new AttributeValue.S(new String(readEscaped(in), StandardCharsets.UTF_8));
            case TAG_B -> new AttributeValue.B(Binary.wrap(readEscaped(in)));
            case TAG_N -> new AttributeValue.N(readNumber(in));
            default -> throw new IllegalArgumentException("Invalid key encoding: unknown type");
        };
    }

    private static void writeEscaped(byte[] bytes, KeyBytes out) {
        for (byte b : bytes) {
            out.put(b);
            if (b == 0) {
                out.put((byte) 0xFF);
            }
        }
    }

    private static void writeEnd(KeyBytes out) {
        out.put((byte) 0);
        out.put((byte) 0);
    }

    private static byte[] readEscaped(KeyBytes.Reader in) {
        byte[] bytes = new byte[32];
        int size = 0;
        while (true) {
            byte b = in.next();
            if (b == 0) {
                byte next = in.next();
                if (next == 0) {
                    return Arrays.copyOf(bytes, size);
                }
                if (next != (byte) 0xFF) {
                    throw new IllegalArgumentException("Invalid key encoding: unknown escape");
                }
            }
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, size * 2);
            }
            bytes[size++] = b;
        }
    }

    private static void writeNumber(Decimal number, KeyBytes out) {
        if (number.isZero()) {
            out.put(ZERO);
            return;
        }
        String text = number.text();
        int start = number.isNegative() ? 1 : 0;
        byte flip = (byte) (number.isNegative() ? 0xFF : 0);
        int point = text.indexOf('.');
        int whole = (point < 0 ? text.length() : point) - start;
        int first = start;
        while (text.charAt(first) == '0' || text.charAt(first) == '.') {
            first++;
        }
        int end = text.length();
        while (point < 0 && text.charAt(end - 1) == '0') {
            end--;
        }
        int exponent = first < start + whole ? start + whole - 1 - first : point - first;
        out.put(number.isNegative() ? NEGATIVE : POSITIVE);
        out.put((byte) ((exponent + EXPONENT_BIAS) ^ flip));
        int pair = -1;
        for (int at = first; at < end; at++) {
            char c = text.charAt(at);
            if (c == '.') {
                continue;
            }
            if (pair < 0) {
                pair = (c - '0') * 10;
            } else {
                out.put((byte) ((pair + (c - '0') + 1) ^ flip));
                pair = -1;
            }
        }
        if (pair >= 0) {
            out.put((byte) ((pair + 1) ^ flip));
        }
        out.put(flip);
    }

    private static Decimal readNumber(KeyBytes.Reader in) {
        byte sign = in.next();
        if (sign == ZERO) {
            return Decimal.ZERO;
        }
        if (sign != NEGATIVE && sign != POSITIVE) {
            throw new IllegalArgumentException("Invalid key encoding: unknown sign");
        }
        int flip = sign == NEGATIVE ? 0xFF : 0;
        int exponent = ((in.next() & 0xFF) ^ flip) - EXPONENT_BIAS;
        StringBuilder text = new StringBuilder(sign == NEGATIVE ? "-" : "");
        int digits = 0;
        for (int pair = (in.next() & 0xFF) ^ flip; pair != 0; pair = (in.next() & 0xFF) ^ flip) {
            if (pair > 100) {
                throw new IllegalArgumentException("Invalid key encoding: no digit pair");
            }
            text.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
            digits += 2;
        }
        if (digits == 0) {
            throw new IllegalArgumentException("Invalid key encoding: number without digits");
        }
        try {
            return Decimal.parse(text.append('E').append(exponent - digits + 1).toString());
        } catch (InvalidNumberException e) {
            throw new IllegalArgumentException("Invalid key encoding: number out of range", e);
        }
    }
}
