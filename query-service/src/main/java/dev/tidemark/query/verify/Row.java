package dev.tidemark.query.verify;

/** One row of a store. Takes over its arrays, which must not be changed. */
final class Row {

    private final byte[] key;
    private final byte[] value;

    Row(byte[] key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    byte[] key() {
        return key;
    }

    byte[] value() {
        return value;
    }
}
