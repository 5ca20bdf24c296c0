package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeOrder;
import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.MarkSchedule;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.wire.IndexUpdateCodec;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.jspecify.annotations.Nullable;

/** Stage 1, one task for each partition of the table: turns changes into updates and marks. */
final class ChangeProjecting implements Processor<byte[], ChangeRecord, byte[], byte[]> {

    private final ChangeProjection projection;
    private final IndexUpdateCodec codec;
    private final Optional<Duration> markInterval;
    private final BackfillGaps gaps;
    private final UnsuitableItems unsuitable;
    private @Nullable Stage stage;

    /**
     * Makes a stage that sends marks of its own every {@code markInterval}, beside those that every
     * commit sends.
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
        Stage started =
                new Stage(
                        context,
                        partition,
                        new ChangeOrder(lastRead, gaps.compactedUpTo(partition)),
                        new MarkSchedule(partition));
        markInterval.ifPresent(
                interval ->
                        context.schedule(
                                interval, PunctuationType.WALL_CLOCK_TIME, now -> mark(started)));
        this.stage = started;
    }

    @Override
    public void process(Record<byte[], ChangeRecord> record) {
        Stage current = stage;
        if (current == null) {
            throw new IllegalStateException("A processor is initialized before it processes");
        }
        ChangeRecord change = record.value();
        Position position = change.origin().position();
        if (position.partition() != current.partition()) {
            throw new IllegalStateException("A change lies in a partition that is not its own");
        }
        if (current.order().isNew(position.sequence())) {
            projection.unsuitableIn(change).ifPresent(unsuitable::found);
        }
        for (PlacedUpdate placed : projection.updatesFor(change)) {
            current.context()
                    .forward(
                            record.withKey(placed.recordKey().toByteArray())
                                    .withValue(codec.encode(placed.update())));
        }
        current.marks().projected(position.sequence(), change.origin().time());
    }

    private void mark(Stage current) {
        Optional<IndexUpdate> due = current.marks().take();
        due.ifPresent(
                mark ->
                        current.context()
                                .forward(
                                        new Record<>(
                                                UpdateRouting.MARK_KEY,
                                                codec.encode(mark),
                                                Math.max(0, mark.time().toEpochMilli()))));
    }

    /** Is told of items without a place in the index. */
    @FunctionalInterface
    interface UnsuitableItems {
        void found(dev.tidemark.gsi.projection.Unsuitable why);
    }

    private record Stage(
            ProcessorContext<byte[], byte[]> context,
            int partition,
            ChangeOrder order,
            MarkSchedule marks) {}
}
