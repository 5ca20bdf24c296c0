package dev.tidemark.gsi;

/** What stage 1 hands on. */
final class Outgoing {

    private final byte[] key;
    private final byte[] value;
    private final boolean position;

    private Outgoing(byte[] key, byte[] value, boolean position) {
        this.key = key;
        this.value = value;
        this.position = position;
    }

    /** Returns an update for the partition of {@code key}. */
    static Outgoing update(byte[] key, byte[] update) {
        return new Outgoing(key, update, false);
    }

    /** Returns a mark to send to every partition now. */
    static Outgoing mark(byte[] mark) {
        return new Outgoing(UpdateRouting.MARK_KEY, mark, false);
    }

    /** Returns the mark that the next commit is to send. */
    static Outgoing position(byte[] mark) {
        return new Outgoing(UpdateRouting.MARK_KEY, mark, true);
    }

    byte[] key() {
        return key;
    }

    byte[] value() {
        return value;
    }

    /** Returns whether this is for the next commit, and not to be sent now. */
    boolean isPosition() {
        return position;
    }
}
