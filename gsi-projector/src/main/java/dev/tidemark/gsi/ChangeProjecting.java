package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.wire.IndexUpdateCodec;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * Stage 1, one task for each partition of the table: turns changes into updates and marks.
 *
 * <p>Marks that are sent between commits follow a single change at once, and a stream of changes at
 * intervals; while no changes come, nothing is scheduled.
 */
final class ChangeProjecting implements Processor<byte[], ChangeRecord, byte[], byte[]> {

    private final ChangeProjection projection;
    private final IndexUpdateCodec codec;
    private final Optional<Duration> markInterval;
    private final BackfillGaps gaps;
    private final UnsuitableItems unsuitable;
    private @Nullable Stage stage;

    /**
     * Makes a stage that sends marks of its own, beside those that every commit sends, if there is
     * a {@code markInterval}.
     */
    ChangeProjecting(
            ChangeProjection projection,
            IndexUpdateCodec codec,
            Optional<Duration> markInterval,
            BackfillGaps gaps,
            UnsuitableItems unsuitable) {
        this.projection = projection;
        this.codec = codec;
        this.markInterval = markInterval;
        this.gaps = gaps;
        this.unsuitable = unsuitable;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        int partition = context.taskId().partition();
        ReadOnlyKeyValueStore<byte[], ValueAndTimestamp<byte[]>> read =
                context.getStateStore(IndexTopics.READ);
        ValueAndTimestamp<byte[]> last = read.get(UpdateRouting.MARK_KEY);
        long lastRead = last == null ? 0 : codec.decodeRaw(last.value()).sequence();
        this.stage =
                new Stage(
                        context,
                        partition,
                        new ChangeOrder(lastRead, gaps.compactedUpTo(partition)),
                        new MarkSchedule(partition));
    }

    @Override
    public void process(Record<byte[], ChangeRecord> record) {
        Stage current = stage;
        if (current == null) {
            throw new IllegalStateException("A processor is initialized before it processes");
        }
        ChangeRecord change = record.value();
        Position position = change.origin().position();
        if (position.partition() != current.partition) {
            throw new IllegalStateException("A change lies in a partition that is not its own");
        }
        if (current.order.isNew(position.sequence())) {
            projection.unsuitableIn(change).ifPresent(unsuitable::found);
        }
        for (PlacedUpdate placed : projection.updatesFor(change)) {
            current.context.forward(
                    record.withKey(placed.recordKey().toByteArray())
                            .withValue(codec.encode(placed.update())));
        }
        current.marks.projected(position.sequence(), change.origin().time());
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
        Optional<IndexUpdate> due = current.marks.take();
        due.ifPresent(
                mark ->
                        current.context.forward(
                                new Record<>(
                                        UpdateRouting.MARK_KEY,
                                        codec.encode(mark),
                                        Math.max(0, mark.time().toEpochMilli()))));
        return due.isPresent();
    }

    /** Is told of items without a place in the index. */
    @FunctionalInterface
    interface UnsuitableItems {
        void found(Unsuitable why);
    }

    /** What a task has from its start to its end. */
    private static final class Stage {

        private final ProcessorContext<byte[], byte[]> context;
        private final int partition;
        private final ChangeOrder order;
        private final MarkSchedule marks;
        private @Nullable Cancellable punctuation;

        Stage(
                ProcessorContext<byte[], byte[]> context,
                int partition,
                ChangeOrder order,
                MarkSchedule marks) {
            this.context = context;
            this.partition = partition;
            this.order = order;
            this.marks = marks;
        }
    }
}
