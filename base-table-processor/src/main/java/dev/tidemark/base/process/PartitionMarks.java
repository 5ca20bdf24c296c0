package dev.tidemark.base.process;

import dev.tidemark.base.CorruptStateException;
import dev.tidemark.model.key.StorageKeys;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/**
 * How far one partition has come; kept in the items store beside the items it speaks of, so both
 * are committed together.
 *
 * <pre>
 * byte 1        the version of this form
 * bytes 2-9     the sequence of the last change, 0 before the first
 * bytes 10-17   the first offset of the write topic that is not yet applied
 * bytes 18-25   when the last change happened, epoch milliseconds, 0 before the first
 * </pre>
 *
 * @param sequence how many changes the partition has made
 * @param nextOffset the first offset of the write topic that is not yet applied
 * @param changedAt when the last change happened, epoch milliseconds
 */
record PartitionMarks(long sequence, long nextOffset, long changedAt) {

    static final PartitionMarks START = new PartitionMarks(0, 0, 0);

    /** Where the marks lie in the items store. */
    static final Bytes KEY = Bytes.wrap(StorageKeys.metadata(1, 0));

    private static final byte VERSION = 1;
    private static final int LENGTH = 1 + 3 * Long.BYTES;

    PartitionMarks passed(long offset) {
        return new PartitionMarks(sequence, offset + 1, changedAt);
    }

    PartitionMarks changed(long offset, long time) {
        return new PartitionMarks(sequence + 1, offset + 1, time);
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .put(VERSION)
                .putLong(sequence)
                .putLong(nextOffset)
                .putLong(changedAt)
                .array();
    }

    static PartitionMarks parse(byte[] stored) {
        if (stored.length != LENGTH || stored[0] != VERSION) {
            throw new CorruptStateException(
                    "Partition marks are of an unknown form",
                    Map.of(
                            "length",
                            stored.length,
                            "version",
                            stored.length == 0 ? -1 : stored[0]));
        }
        ByteBuffer in = ByteBuffer.wrap(stored, 1, LENGTH - 1);
        return new PartitionMarks(in.getLong(), in.getLong(), in.getLong());
    }
}
