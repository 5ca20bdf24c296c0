package dev.tidemark.query.http;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Makes the ids replies carry: 52 characters of 0-9 and A-Z. Not thread-safe. */
final class RequestIds {

    private static final int LENGTH = 52;
    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".getBytes(StandardCharsets.US_ASCII);

    private final SplittableRandom random = new SplittableRandom();
    private final byte[] characters = new byte[LENGTH];

    String next() {
        long bits = 0;
        for (int at = 0; at < LENGTH; at++) {
            if (at % 12 == 0) {
                bits = random.nextLong();
            }
            characters[at] = ALPHABET[(int) (bits & 31)];
            bits >>>= 5;
        }
        return new String(characters, StandardCharsets.ISO_8859_1);
    }
}
