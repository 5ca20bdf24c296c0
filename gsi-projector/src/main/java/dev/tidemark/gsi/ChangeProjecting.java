package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.gsi.projection.ProjectedChange;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionProgress;
import dev.tidemark.wire.IndexUpdateCodec;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.KeyValueStore;
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

    private static final Bytes TALLY = Bytes.wrap(new byte[] {0});

    private final IndexId index;
    private final ChangeProjection projection;
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
            IndexUpdateCodec codec,
            Optional<Duration> markInterval,
            BackfillGaps gaps,
            ProgressBoard board,
            UnsuitableItems unsuitable) {
        this.index = index;
        this.projection = projection;
        this.codec = codec;
        this.markInterval = markInterval;
        this.gaps = gaps;
        this.board = board;
        this.unsuitable = unsuitable;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], Outgoing> context) {
        int partition = context.taskId().partition();
        KeyValueStore<Bytes, byte[]> read = context.getStateStore(IndexTopics.READ);
        byte[] stored = read.get(TALLY);
        Tally tally = stored == null ? new Tally() : Tally.parse(stored);
        Stage opened =
                new Stage(
                        context,
                        read,
                        partition,
                        new ChangeOrder(tally.sequence(), gaps.compactedUpTo(partition)),
                        new MarkSchedule(partition),
                        tally,
                        new ProjectionProgress(index, partition, tally.counts()));
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
        if (current.order.isNew(position.sequence())) {
            projected.after().ifPresent(unsuitable::found);
            count(current, position.sequence(), projected);
        }
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

    /** Counts a change that is new: of a repeat, everything is counted. */
    private static void count(Stage current, long sequence, ProjectedChange projected) {
        int skippedBefore = projected.before().isPresent() ? 1 : 0;
        int skippedAfter = projected.after().isPresent() ? 1 : 0;
        current.tally.count(sequence, projected.entriesAdded(), skippedAfter - skippedBefore);
        current.read.put(TALLY, current.tally.toBytes());
        current.tally.tell(current.progress);
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
        private final KeyValueStore<Bytes, byte[]> read;
        private final int partition;
        private final ChangeOrder order;
        private final MarkSchedule marks;
        private final Tally tally;
        private final ProjectionProgress progress;
        private @Nullable Cancellable punctuation;

        /** The last record, whose key, time and headers a mark takes; only records make records. */
        private @Nullable FixedKeyRecord<byte[], @Nullable Void> last;

        Stage(
                FixedKeyProcessorContext<byte[], Outgoing> context,
                KeyValueStore<Bytes, byte[]> read,
                int partition,
                ChangeOrder order,
                MarkSchedule marks,
                Tally tally,
                ProjectionProgress progress) {
            this.context = context;
            this.read = read;
            this.partition = partition;
            this.order = order;
            this.marks = marks;
            this.tally = tally;
            this.progress = progress;
        }
    }
}
