package dev.tidemark.query.http;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Bodies in gzip. */
final class ContentCoding {

    /** Smaller replies are not worth the work. */
    static final int WORTHWHILE = 1024;

    private ContentCoding() {}

    /** Returns whether a client that sent this {@code Accept-Encoding} takes gzip. */
    static boolean acceptsGzip(@Nullable String acceptEncoding) {
        if (acceptEncoding == null || !acceptEncoding.contains("gzip")) {
            return false;
        }
        for (String each : acceptEncoding.split(",", -1)) {
            String coding = each.trim().toLowerCase(Locale.ROOT).replace(" ", "");
            if (coding.startsWith("gzip")) {
                return !coding.matches("gzip;q=0(\\.0*)?");
            }
        }
        return false;
    }

    /**
     * Returns the content of a compressed body.
     *
     * @throws ApiException if it is no gzip, or more than {@code limit} bytes
     */
    static byte[] inflate(byte[] body, int limit) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body), 8192)) {
            byte[] content = in.readNBytes(limit + 1);
            if (content.length > limit) {
                throw new ApiException(ApiError.REQUEST_TOO_LARGE, "Request is too large.");
            }
            return content;
        } catch (IOException e) {
            // not gzip, whatever the header says: the caller's mistake
            throw new ApiException(ApiError.SERIALIZATION, "");
        }
    }

    static byte[] deflate(byte[] content, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length / 4 + 64);
        try (GZIPOutputStream gzip = new FastGzip(out)) {
            gzip.write(content, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory does not fail", e);
        }
        return out.toByteArray();
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(ByteArrayOutputStream out) throws IOException {
            super(out, 8192);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
