package dev.tidemark.query.read;

import java.util.Optional;

/**
 * The stores of the partitions on this node. Thread-safe. Calls may block on a disk.
 *
 * <p>A partition that is not here, is moving or restoring is answered with a retryable {@link
 * dev.tidemark.model.error.ApiException}, never as if it were empty.
 */
public interface PartitionStores {

    /** Is shown entries one after another. */
    @FunctionalInterface
    interface Visitor {

        /** Takes an entry and returns whether to go on; it must not change the arrays. */
        boolean visit(byte[] key, byte[] value);
    }

    /** The order entries are shown in. */
    enum Direction {
        FORWARD,
        REVERSE
    }

    /** Returns the value under a key. */
    Optional<byte[]> get(StoreRef store, byte[] key);

    /** Shows the entries of a span in key order until the visitor has enough. */
    void visit(StoreRef store, KeySpan span, Direction direction, Visitor visitor);
}
