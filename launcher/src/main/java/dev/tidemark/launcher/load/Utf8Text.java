package dev.tidemark.launcher.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Text in UTF-8 that says so when it is none, instead of reading other characters; a byte order
 * mark at its beginning is no part of it.
 */
final class Utf8Text {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private Utf8Text() {}

    static BufferedReader open(InputStream input) throws IOException {
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(input, StandardCharsets.UTF_8.newDecoder()));
        reader.mark(1);
        int first;
        try {
            first = reader.read();
        } catch (CharacterCodingException e) {
            throw notUtf8(1, e);
        }
        if (first != BYTE_ORDER_MARK) {
            reader.reset();
        }
        return reader;
    }

    /**
     * Returns the failure to report.
     *
     * @param line a line near the wrong bytes
     */
    static IOException notUtf8(long line, CharacterCodingException cause) {
        return new IOException("line " + line + " or soon after it: the file is not UTF-8", cause);
    }
}
