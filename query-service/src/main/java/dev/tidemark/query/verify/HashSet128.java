package dev.tidemark.query.verify;

/**
 * A set of hashes that takes 32 to 64 bytes for each, and no more than it is allowed to. Not
 * thread-safe.
 */
final class HashSet128 {

    private static final int FIRST_SLOTS = 1_024;

    private final int most;
    private int size;
    private boolean hasZero;

    /** Pairs of high and low; a pair of zeros is an empty slot. */
    private long[] slots = new long[2 * FIRST_SLOTS];

    /** Makes a set that holds up to {@code most} hashes. */
    HashSet128(int most) {
        this.most = most;
    }

    boolean isFull() {
        return size >= most;
    }

    boolean contains(Hash128 hash) {
        if (hash.high() == 0 && hash.low() == 0) {
            return hasZero;
        }
        int slot = slotOf(slots, hash.high(), hash.low());
        return slots[slot] == hash.high() && slots[slot + 1] == hash.low();
    }

    /** Adds a hash; returns whether it was not there. The set must not be full. */
    boolean add(Hash128 hash) {
        if (contains(hash)) {
            return false;
        }
        if (isFull()) {
            throw new IllegalStateException("The set is full");
        }
        size++;
        if (hash.high() == 0 && hash.low() == 0) {
            hasZero = true;
            return true;
        }
        if (2 * size > slots.length / 2) {
            grow();
        }
        int slot = slotOf(slots, hash.high(), hash.low());
        slots[slot] = hash.high();
        slots[slot + 1] = hash.low();
        return true;
    }

    private void grow() {
        long[] larger = new long[slots.length * 2];
        for (int at = 0; at < slots.length; at += 2) {
            if (slots[at] != 0 || slots[at + 1] != 0) {
                int slot = slotOf(larger, slots[at], slots[at + 1]);
                larger[slot] = slots[at];
                larger[slot + 1] = slots[at + 1];
            }
        }
        slots = larger;
    }

    /** Returns where the hash is, or the empty slot where it would be. */
    private static int slotOf(long[] slots, long high, long low) {
        int at = ((int) (low >>> 7) * 2) & (slots.length - 1);
        while ((slots[at] != 0 || slots[at + 1] != 0)
                && (slots[at] != high || slots[at + 1] != low)) {
            at = (at + 2) & (slots.length - 1);
        }
        return at;
    }
}
