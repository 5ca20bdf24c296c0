package dev.tidemark.query.http;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** The codings a body may come in, the one that is preferred first. */
enum ContentCoding {
    GZIP {
        @Override
        InputStream decoded(InputStream in) throws IOException {
            return new GZIPInputStream(in, BUFFER);
        }

        @Override
        OutputStream encoded(OutputStream out) throws IOException {
            return new FastGzip(out);
        }
    },
    DEFLATE {
        @Override
        InputStream decoded(InputStream in) {
            return new InflaterInputStream(in);
        }

        @Override
        OutputStream encoded(OutputStream out) {
            return new DeflaterOutputStream(out, new Deflater(Deflater.BEST_SPEED), BUFFER) {
                @Override
                public void close() throws IOException {
                    try {
                        super.close();
                    } finally {
                        def.end();
                    }
                }
            };
        }
    };

    /** The fewest bytes of a reply that are compressed. Source: DynamoDB, as measured. */
    static final int WORTHWHILE = 4096;

    private static final int BUFFER = 8192;

    /** Returns the coding of this name, in any case. */
    static Optional<ContentCoding> named(String name) {
        return Arrays.stream(values())
                .filter(coding -> coding.wireName().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /**
     * Returns the coding of a body with this {@code Content-Encoding}; empty if it is sent as it
     * is.
     *
     * @throws ApiException if it is none of these; an internal error, as DynamoDB has it
     */
    static Optional<ContentCoding> ofBody(@Nullable String contentEncoding) {
        String name = contentEncoding == null ? "" : contentEncoding.trim();
        if (name.isEmpty() || name.equalsIgnoreCase("identity")) {
            return Optional.empty();
        }
        return Optional.of(named(name).orElseThrow(ContentCoding::undecodable));
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the content of a body in this coding.
     *
     * @throws ApiException if the body is not in this coding (an internal error, as DynamoDB has
     *     it), or holds more than {@code limit} bytes
     */
    byte[] decode(byte[] body, int limit) {
        try (InputStream in = decoded(new ByteArrayInputStream(body))) {
            byte[] content = in.readNBytes(limit + 1);
            if (content.length > limit) {
                throw new ApiException(ApiError.REQUEST_TOO_LARGE, "Request is too large.");
            }
            return content;
        } catch (IOException e) {
            throw undecodable();
        }
    }

    byte[] encode(byte[] content, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length / 4 + 64);
        try (OutputStream encoded = encoded(out)) {
            encoded.write(content, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory does not fail", e);
        }
        return out.toByteArray();
    }

    abstract InputStream decoded(InputStream in) throws IOException;

    abstract OutputStream encoded(OutputStream out) throws IOException;

    private static ApiException undecodable() {
        return new ApiException(
                ApiError.INTERNAL,
                "The body of the request is not in the coding its header names.");
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
