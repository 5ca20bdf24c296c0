package dev.tidemark.model.item;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** Strings as DynamoDB measures and orders them: by their UTF-8 bytes. */
public final class Utf8 {

    /**
     * Orders strings by their UTF-8 bytes, unsigned, which is not the order of their UTF-16 units.
     */
    public static final Comparator<String> ORDER = Utf8::compare;

    private Utf8() {}

    /** Returns the number of bytes of {@code text} in UTF-8. */
    public static int length(String text) {
        int length = text.length();
        int bytes = length;
        for (int at = 0; at < length; at++) {
            char c = text.charAt(at);
            if (c >= 0x80) {
                if (c < 0x800) {
                    bytes++;
                } else if (Character.isHighSurrogate(c)
                        && at + 1 < length
                        && Character.isLowSurrogate(text.charAt(at + 1))) {
                    bytes += 2;
                    at++;
                } else if (!Character.isSurrogate(c)) {
                    bytes += 2;
                }
            }
        }
        return bytes;
    }

    private static int compare(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int at = 0; at < shared; at++) {
            char l = left.charAt(at);
            char r = right.charAt(at);
            if (l != r) {
                return Character.isSurrogate(l) || Character.isSurrogate(r)
                        ? Arrays.compareUnsigned(
                                left.getBytes(StandardCharsets.UTF_8),
                                right.getBytes(StandardCharsets.UTF_8))
                        : l - r;
            }
        }
        return left.length() - right.length();
    }
}
