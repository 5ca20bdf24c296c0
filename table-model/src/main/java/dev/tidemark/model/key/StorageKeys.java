package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import java.util.List;

/**
 * The keys under which stores keep items and index entries.
 *
 * <pre>
 * items store  hash16(pk) enc(pk) enc(sk)
 * LSI store    index id   hash16(pk) enc(pk) enc(index sk) enc(sk)
 *              0x80       hash16(pk) enc(pk)                       (size of the item collection)
 * GSI store    hash16(h)  enc(h1)..enc(hn) enc(r1)..enc(rm) enc(table pk) enc(table sk)
 * </pre>
 *
 * <p>What a store keeps beside its entries (sequence numbers, tidemarks) lies under keys that begin
 * with three zero bytes: they sort below every entry, since an encoding never begins with a zero
 * byte.
 */
public final class StorageKeys {

    /** The number of values of {@link Partitioning#hash16}. */
    public static final int HASHES = 65_536;

    private static final byte[] FIRST_ENTRY = {0, 0, 1};

    /** Sorts above every index id. */
    private static final byte COLLECTION = (byte) 0x80;

    private StorageKeys() {}

    /** Returns the key of an item in the items store. */
    public static byte[] item(PrimaryKey key) {
        KeyBytes out = new KeyBytes();
        writeEntry(key, out);
        return out.toByteArray();
    }

    /** Returns the key of an entry in the LSI store; {@code indexId} is from 1 to 127. */
    public static byte[] localEntry(int indexId, PrimaryKey indexKey, PrimaryKey tableKey) {
        KeyBytes out = new KeyBytes();
        out.put((byte) indexId);
        writeEntry(indexKey, out);
        tableKey.sort().forEach(value -> KeyEncoding.write(value, out));
        return out.toByteArray();
    }

    /** Returns the key in the LSI store of what is known of the items with this partition key. */
    public static byte[] collection(List<AttributeValue> partitionKey) {
        KeyBytes out = new KeyBytes();
        out.put(COLLECTION);
        writePartition(partitionKey, out);
        return out.toByteArray();
    }

    /** Returns whether {@code key}, of an LSI store, is of a collection and not of an entry. */
    public static boolean isCollection(byte[] key) {
        return key.length > 0 && key[0] == COLLECTION;
    }

    /** Returns the key of an entry in a GSI store. */
    public static byte[] globalEntry(PrimaryKey indexKey, PrimaryKey tableKey) {
        KeyBytes out = new KeyBytes();
        writeEntry(indexKey, out);
        tableKey.partition().forEach(value -> KeyEncoding.write(value, out));
        tableKey.sort().forEach(value -> KeyEncoding.write(value, out));
        return out.toByteArray();
    }

    /**
     * Returns what the keys of all items or entries with this partition key begin with, in an items
     * or a GSI store.
     */
    public static byte[] partitionPrefix(List<AttributeValue> partitionKey) {
        KeyBytes out = new KeyBytes();
        writePartition(partitionKey, out);
        return out.toByteArray();
    }

    /**
     * Returns where entries with {@code hash} or a higher one begin; for a hash of 0 this lies
     * above the metadata.
     */
    public static byte[] hashStart(int hash) {
        if (hash == 0) {
            return FIRST_ENTRY.clone();
        }
        return new byte[] {(byte) (hash >>> 8), (byte) hash};
    }

    /** Returns the key of one piece of a store's own data. */
    public static byte[] metadata(int kind, int number) {
        KeyBytes out = new KeyBytes(8);
        out.put((byte) 0);
        out.put((byte) 0);
        out.put((byte) 0);
        out.put((byte) kind);
        out.putInt(number);
        return out.toByteArray();
    }

    /** Returns whether {@code key} is of a store's own data and not of an entry. */
    public static boolean isMetadata(byte[] key) {
        return key.length >= 3 && key[0] == 0 && key[1] == 0 && key[2] == 0;
    }

    private static void writeEntry(PrimaryKey key, KeyBytes out) {
        writePartition(key.partition(), out);
        key.sort().forEach(value -> KeyEncoding.write(value, out));
    }

    private static void writePartition(List<AttributeValue> partitionKey, KeyBytes out) {
        out.putShort(Partitioning.hash16(Partitioning.recordKey(partitionKey)));
        partitionKey.forEach(value -> KeyEncoding.write(value, out));
    }
}
