package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.gsi.projection.ProjectedChange;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.gsi.projection.ViolationRecord;
import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.wire.IndexUpdateCodec;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stage 1, one task for each partition of the table: turns changes into updates and marks.
 *
 * <p>Of each change it hands on the updates first, then the position: whatever says that a change
 * is projected comes after its updates. Marks that are sent between commits follow a single change
 * at once, and a stream of changes at intervals; while no changes come, nothing is scheduled.
 */
final class ChangeProjecting implements FixedKeyProcessor<byte[], ChangeRecord, Outgoing> {

    /** Is told of items without a place in the index. */
    @FunctionalInterface
    interface UnsuitableItems {
        void found(Unsuitable why);
    }

    private final IndexId index;
    private final ChangeProjection projection;
    private final ViolationRecord violations;
    private final IndexUpdateCodec codec;
    private final Optional<Duration> markInterval;
    private final BackfillGaps gaps;
    private final ProgressBoard board;
    private final UnsuitableItems unsuitable;
    private @Nullable Stage stage;

    /**
     * Makes a stage that sends marks of its own, beside those that every commit sends, if there is
     * a {@code markInterval}.
     */
    ChangeProjecting(
            IndexId index,
            ChangeProjection projection,
            ViolationRecord violations,
            IndexUpdateCodec codec,
            Optional<Duration> markInterval,
            BackfillGaps gaps,
            ProgressBoard board,
            UnsuitableItems unsuitable) {
        this.index = index;
        this.projection = projection;
        this.violations = violations;
        this.codec = codec;
        this.markInterval = markInterval;
        this.gaps = gaps;
        this.board = board;
        this.unsuitable = unsuitable;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], Outgoing> context) {
        int partition = context.taskId().partition();
        ProjectionLedger ledger =
                new ProjectionLedger(
                        context.getStateStore(IndexTopics.READ),
                        context.getStateStore(IndexTopics.VIOLATIONS),
                        violations,
                        gaps.compactedUpTo(partition));
        Stage opened =
                new Stage(
                        context,
                        partition,
                        ledger,
                        new MarkSchedule(partition),
                        new ProjectionProgress(index, partition, ledger.counts()));
        stage = opened;
        board.open(opened.progress);
    }

    @Override
    public void close() {
        if (stage != null) {
            board.close(stage.progress);
            stage = null;
        }
    }

    @Override
    public void process(FixedKeyRecord<byte[], ChangeRecord> record) {
        Stage current = stage;
        if (current == null) {
            throw new IllegalStateException("A processor is initialized before it processes");
        }
        ChangeRecord change = record.value();
        Position position = change.origin().position();
        if (position.partition() != current.partition) {
            throw new IllegalStateException("A change lies in a partition that is not its own");
        }
        ProjectedChange projected = projection.project(change);
        if (current.ledger.take(change, projected)
                && change.origin().cause() != ChangeCause.REPAIR) {
            projected.after().ifPresent(unsuitable::found);
        }
        current.ledger.tell(current.progress);
        for (PlacedUpdate placed : projected.updates()) {
            current.context.forward(
                    record.withValue(
                            Outgoing.update(
                                    placed.recordKey().toByteArray(),
                                    codec.encode(placed.update()))));
        }
        byte[] mark = codec.encode(IndexUpdate.mark(position, change.origin().time()));
        current.context.forward(record.withValue(Outgoing.position(mark)));
        current.marks.projected(position.sequence(), change.origin().time());
        markBetweenCommits(current, record);
    }

    private void markBetweenCommits(Stage current, FixedKeyRecord<byte[], ChangeRecord> record) {
        current.last = record.withValue(null);
        if (markInterval.isPresent() && current.punctuation == null) {
            mark(current);
            current.punctuation =
                    current.context.schedule(
                            markInterval.get(),
                            PunctuationType.WALL_CLOCK_TIME,
                            now -> markOrRest(current));
        }
    }

    private void markOrRest(Stage current) {
        Cancellable punctuation = current.punctuation;
        if (!mark(current) && punctuation != null) {
            punctuation.cancel();
            current.punctuation = null;
        }
    }

    private boolean mark(Stage current) {
        FixedKeyRecord<byte[], @Nullable Void> last = current.last;
        Optional<IndexUpdate> due = last == null ? Optional.empty() : current.marks.take();
        if (due.isEmpty() || last == null) {
            return false;
        }
        current.context.forward(last.withValue(Outgoing.mark(codec.encode(due.get()))));
        return true;
    }

    /** What a task has from its start to its end. */
    private static final class Stage {

        private final FixedKeyProcessorContext<byte[], Outgoing> context;
        private final int partition;
        private final ProjectionLedger ledger;
        private final MarkSchedule marks;
        private final ProjectionProgress progress;
        private @Nullable Cancellable punctuation;

        /** The last record, whose key, time and headers a mark takes; only records make records. */
        private @Nullable FixedKeyRecord<byte[], @Nullable Void> last;

        Stage(
                FixedKeyProcessorContext<byte[], Outgoing> context,
                int partition,
                ProjectionLedger ledger,
                MarkSchedule marks,
                ProjectionProgress progress) {
            this.context = context;
            this.partition = partition;
            this.ledger = ledger;
            this.marks = marks;
            this.progress = progress;
        }
    }
}
