package dev.tidemark.model.change;

import java.time.Instant;

/**
 * Where a change came from.
 *
 * @param position its partition and its place among the partition's changes; the first has sequence
 *     1
 * @param writeOffset the offset of its command in the partition of the write topic
 * @param time the timestamp of its command's record, to the millisecond
 * @param cause who wanted it
 */
public record ChangeOrigin(Position position, long writeOffset, Instant time, ChangeCause cause) {

    /** Makes the origin of a change that a caller wrote. */
    public ChangeOrigin(Position position, long writeOffset, Instant time) {
        this(position, writeOffset, time, ChangeCause.REQUEST);
    }
}
