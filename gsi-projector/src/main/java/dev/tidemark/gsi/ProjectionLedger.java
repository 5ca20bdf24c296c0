package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.ProjectedChange;
import dev.tidemark.gsi.projection.ViolationRecord;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.progress.ProjectionCounts;
import dev.tidemark.model.progress.ProjectionProgress;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * What the task that projects one partition of a table keeps: how far it has read, what it counted
 * up to there, and which items it has listed. Not thread-safe.
 */
final class ProjectionLedger {

    private static final Bytes TALLY = Bytes.wrap(new byte[] {0});

    private final KeyValueStore<Bytes, byte[]> read;
    private final Tally tally;
    private final ChangeOrder order;
    private final ViolationList violations;

    /**
     * Makes a ledger that goes on from what is in the stores.
     *
     * @param read the store of the one row
     * @param listed the store of the list
     * @param compactedUpTo the sequence up to which changes may be missing, 0 for a full history
     */
    ProjectionLedger(
            KeyValueStore<Bytes, byte[]> read,
            KeyValueStore<Bytes, byte[]> listed,
            ViolationRecord record,
            long compactedUpTo) {
        this.read = read;
        byte[] row = read.get(TALLY);
        this.tally = row == null ? new Tally() : Tally.parse(row);
        this.order = new ChangeOrder(tally.sequence(), compactedUpTo);
        this.violations = new ViolationList(listed, record);
    }

    /**
     * Takes down the next change and what it does to the index; returns whether it is new to the
     * task that has the ledger, which may have been counted by the one before.
     *
     * @throws dev.tidemark.gsi.projection.ChangeGapException if changes before it are missing
     */
    boolean take(ChangeRecord change, ProjectedChange projected) {
        long sequence = change.origin().position().sequence();
        boolean isCounted = !order.isNew(sequence);
        boolean isNew = violations.apply(change, projected);
        if (!isCounted) {
            tally.count(sequence, projected.entriesAdded());
            read.put(TALLY, tally.toBytes());
        }
        return isNew;
    }

    ProjectionCounts counts() {
        return tally.counts(violations.size());
    }

    /** Tells {@code progress} what is taken down. */
    void tell(ProjectionProgress progress) {
        tally.tell(progress, violations.size());
    }
}
