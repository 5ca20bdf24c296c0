package dev.tidemark.query.verify;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 128 bits of a SHA-256: equal of equal bytes, and of others never, in practice. */
record Hash128(long high, long low) {

    /** Returns the hash of the bytes one after another; who gives several marks where one ends. */
    static Hash128 of(byte[]... parts) {
        MessageDigest digest = digest();
        for (byte[] part : parts) {
            digest.update(part);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new Hash128(hash.getLong(), hash.getLong());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
