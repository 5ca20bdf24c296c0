package dev.tidemark.base.process;

import dev.tidemark.base.BaseListener;
import dev.tidemark.base.RejectReason;
import dev.tidemark.base.apply.CommandApplication;
import dev.tidemark.base.apply.Decision;
import dev.tidemark.lsi.CollectionSize;
import dev.tidemark.lsi.LocalChange;
import dev.tidemark.lsi.LocalIndexMaintenance;
import dev.tidemark.lsi.LocalIndexStore;
import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.OutcomeListener;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.Write.DefineIndexKeys;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.ItemCodec;
import dev.tidemark.wire.WireFormatException;
import dev.tidemark.wire.WriteCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the commands of one partition in the order of the log. Long, since the way of one command
 * through its stages is told in one piece.
 */
public final class WriteProcessor
        implements Processor<byte[], byte[], byte @Nullable [], OutgoingRecord> {

    /*
     * Once and in order: items, local entries, marks, changes, rejects and the consumed offset are
     * one Kafka transaction, so after a crash the marks say exactly which commands the items
     * reflect. A command below the marks' next offset is passed over: the group's offsets may be
     * lost (they expire when a table rests, and an operator can reset them) while the items are
     * not, and the replay that follows must not apply anything twice. Whoever waits for such a
     * command is told that its outcome is unknown, because the same is seen when the log itself has
     * lost its end and the command is new.
     *
     * Order of effects: first what may fail for want of a topic's metadata (sending), then the
     * stores. Streams takes the command up again after such a failure, and must then find the state
     * it found before. Then the progress, then the outcome, then the mark that all of it is
     * applied: who is told an outcome finds its change on the board, and who reads at the mark
     * reads what was told.
     *
     * Before the commit: outcomes are told when a command is processed, not when it is committed.
     * That is sound because the decision follows from items and log alone; a successor decides the
     * same.
     */

    /** The name of the sink for changes. */
    public static final String CHANGES = "changes";

    /** The name of the sink for records that were put aside. */
    public static final String REJECTS = "rejects";

    public static final String REASON_HEADER = "tidemark.reason";
    public static final String DETAIL_HEADER = "tidemark.detail";
    public static final String PARTITION_HEADER = "tidemark.source-partition";
    public static final String OFFSET_HEADER = "tidemark.source-offset";

    /**
     * The most bytes of a record of ours, key and value: what producers, brokers and consumers are
     * set up for, less room for headers.
     */
    public static final int MAX_RECORD_SIZE = 4_000_000;

    /**
     * The most bytes of an item's stored form. An item within DynamoDB's 400 KB exceeds this only
     * if it consists of huge numbers; it is refused like one that is too large, because the record
     * of a change carries two of them.
     */
    static final int MAX_STORED_SIZE = MAX_RECORD_SIZE / 2 - 50_000;

    private static final int DETAIL_LENGTH = 1_000;
    private static final byte[] NO_BYTES = {};

    private static final Logger LOGGER = LoggerFactory.getLogger(WriteProcessor.class);

    private final TableDefinition table;
    private final WriteCodec commands;
    private final ChangeCodec changes;
    private final LocalIndexMaintenance localIndexes;
    private final ProgressBoard board;
    private final OutcomeListener outcomes;
    private final BaseListener listener;

    private @Nullable Running running;

    /** What there is between init and close. */
    private record Running(
            ProcessorContext<byte @Nullable [], OutgoingRecord> context,
            int partition,
            ItemStore items,
            Optional<KeyValueStore<Bytes, byte[]>> localEntries,
            CommandApplication application,
            BaseProgress progress) {}

    /** Follows every command; set by init. */
    private PartitionMarks marks = PartitionMarks.START;

    /**
     * Whether the definition of index keys in force is in the store. The first command puts it
     * there, so that from then on it no longer depends on the definition the app is started with.
     */
    private boolean definitionStored;

    public WriteProcessor(
            TableDefinition table,
            WriteCodec commands,
            ChangeCodec changes,
            LocalIndexMaintenance localIndexes,
            ProgressBoard board,
            OutcomeListener outcomes,
            BaseListener listener) {
        this.table = table;
        this.commands = commands;
        this.changes = changes;
        this.localIndexes = localIndexes;
        this.board = board;
        this.outcomes = outcomes;
        this.listener = listener;
    }

    @Override
    public void init(ProcessorContext<byte @Nullable [], OutgoingRecord> context) {
        int partition = context.taskId().partition();
        ItemStore items = new ItemStore(context.getStateStore(ItemStore.NAME), commands);
        Optional<KeyValueStore<Bytes, byte[]>> localEntries =
                localIndexes.hasIndexes()
                        ? Optional.of(context.getStateStore(LocalIndexStore.NAME))
                        : Optional.empty();
        Optional<DefineIndexKeys> stored = items.definition();
        definitionStored = stored.isPresent();
        CommandApplication application =
                new CommandApplication(
                        table,
                        stored.orElseGet(() -> CommandApplication.definitionAtCreation(table)),
                        items.timeToLive());
        marks = items.marks();
        BaseProgress progress = progressAt(partition, marks);
        running = new Running(context, partition, items, localEntries, application, progress);
        board.open(progress);
    }

    /** The time of the last change stays known, so that who lags by one change has its age. */
    private BaseProgress progressAt(int partition, PartitionMarks from) {
        if (from.sequence() == 0) {
            return new BaseProgress(table.id(), partition, from.nextOffset(), 0);
        }
        BaseProgress progress =
                new BaseProgress(table.id(), partition, from.nextOffset(), from.sequence() - 1);
        progress.changed(from.sequence(), from.changedAt());
        return progress;
    }

    @Override
    public void close() {
        Running task = running;
        if (task != null) {
            running = null;
            board.close(task.progress());
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Running task = running;
        if (task == null) {
            throw new IllegalStateException("Processor is not initialised");
        }
        RecordMetadata metadata =
                task.context()
                        .recordMetadata()
                        .orElseThrow(() -> new IllegalStateException("Record has no position"));
        new Step(task, record, metadata.offset()).run();
    }

    /** One record on its way through; holds what its stages share. */
    private final class Step implements Decision.Cases<WriteOutcome> {

        private final Running task;
        private final Record<byte[], byte[]> record;
        private final long offset;
        private Optional<RequestId> requestId = Optional.empty();
        private Optional<PrimaryKey> key = Optional.empty();

        Step(Running task, Record<byte[], byte[]> record, long offset) {
            this.task = task;
            this.record = record;
            this.offset = offset;
        }

        void run() {
            WriteOutcome outcome = outcome();
            requestId.ifPresent(id -> outcomes.decided(id, outcome));
            task.progress().appliedUpTo(marks.nextOffset());
        }

        private WriteOutcome outcome() {
            boolean covered = offset < marks.nextOffset();
            WriteCommand command;
            try {
                command = commands.decode(bytes(record.value()));
            } catch (WireFormatException e) {
                return covered
                        ? passOver()
                        : reject(RejectReason.UNREADABLE, ApiError.VALIDATION, e.text());
            }
            requestId = command.requestId();
            return covered ? passOver() : apply(command.write());
        }

        private WriteOutcome passOver() {
            listener.passedOver(table.id(), task.partition(), offset);
            return new WriteOutcome.Refused(ApiError.INTERNAL, "The outcome of the write is lost");
        }

        private WriteOutcome apply(Write write) {
            key = task.application().keyOf(write);
            if (key.isPresent()) {
                byte[] recordKey = Partitioning.recordKey(key.get().partition());
                if (!Arrays.equals(recordKey, record.key())) {
                    return reject(
                            RejectReason.WRONG_KEY,
                            ApiError.VALIDATION,
                            "The record's key is not that of its item");
                }
                int home = Partitioning.partition(recordKey, table.partitions());
                if (home != task.partition()) {
                    return reject(
                            RejectReason.WRONG_PARTITION,
                            ApiError.VALIDATION,
                            "The record's key falls into partition " + home);
                }
            }
            Optional<Item> stored = key.flatMap(task.items()::find);
            return decide(write, stored).match(this);
        }

        @SuppressWarnings(
                "IllegalCatch") // the boundary of one command: it must not stop the others
        private Decision decide(Write write, Optional<Item> stored) {
            try {
                return task.application().decide(write, stored);
            } catch (RuntimeException e) {
                LOGGER.atError()
                        .addKeyValue("table", table.name())
                        .addKeyValue("partition", task.partition())
                        .addKeyValue("offset", offset)
                        .setCause(e)
                        .log("command failed and is put aside");
                return new Decision.Refused(ApiError.INTERNAL, e.getClass().getSimpleName());
            }
        }

        @Override
        public WriteOutcome change(Decision.Change change) {
            Optional<byte[]> stored = change.after().map(ItemCodec::encode);
            if (stored.isPresent() && stored.get().length > MAX_STORED_SIZE) {
                return refused(
                        new Decision.Refused(
                                ApiError.VALIDATION,
                                "Item size has exceeded the maximum allowed size"));
            }
            Optional<LocalChange> local =
                    task.localEntries()
                            .map(
                                    entries ->
                                            localIndexes.changeFor(
                                                    change.key(),
                                                    change.before(),
                                                    change.after(),
                                                    CollectionSize.read(entries, change.key())));
            if (local.filter(this::exceedsCollection).isPresent()) {
                return refused(
                        new Decision.Refused(
                                ApiError.ITEM_COLLECTION_SIZE_LIMIT, "Collection size exceeded."));
            }
            PartitionMarks next = marks.changed(offset, record.timestamp());
            emit(changeRecord(change, next));
            stored.ifPresentOrElse(
                    bytes -> task.items().put(change.key(), bytes),
                    () -> task.items().remove(change.key()));
            local.ifPresent(writes -> writes.applyTo(task.localEntries().orElseThrow()));
            advance(next);
            task.progress().changed(next.sequence(), next.changedAt());
            return new WriteOutcome.Applied(
                    position(),
                    change.before(),
                    change.after(),
                    local.isPresent()
                            ? OptionalLong.of(local.get().collectionSize())
                            : OptionalLong.empty());
        }

        private void emit(ChangeRecord change) {
            task.context()
                    .forward(
                            new Record<>(
                                    encodedKey(change.key()),
                                    outgoing(changes.encode(change)),
                                    record.timestamp()),
                            CHANGES);
            if (change.after().isEmpty() && table.compactsHistory()) {
                // lets compaction forget the item
                task.context()
                        .forward(
                                new Record<>(
                                        encodedKey(change.key()),
                                        outgoing(null),
                                        record.timestamp()),
                                CHANGES);
            }
        }

        /** What makes a collection smaller, or leaves its size, is always allowed. */
        private boolean exceedsCollection(LocalChange local) {
            return local.growth() > 0
                    && local.collectionSize() > table.options().itemCollectionLimit();
        }

        @Override
        public WriteOutcome noChange(Decision.NoChange unchanged) {
            advance(marks.passed(offset));
            return new WriteOutcome.Applied(
                    position(), unchanged.item(), unchanged.item(), collectionSize());
        }

        @Override
        public WriteOutcome refreshed(Decision.Refreshed refreshed) {
            PartitionMarks next = marks.changed(offset, record.timestamp());
            emit(
                    changeRecord(
                            new Decision.Change(
                                    refreshed.key(),
                                    refreshed.stale(),
                                    refreshed.item(),
                                    ChangeCause.REPAIR),
                            next));
            advance(next);
            task.progress().changed(next.sequence(), next.changedAt());
            return new WriteOutcome.Applied(
                    position(), refreshed.item(), refreshed.item(), collectionSize());
        }

        private OptionalLong collectionSize() {
            return key.isPresent() && task.localEntries().isPresent()
                    ? OptionalLong.of(CollectionSize.read(task.localEntries().get(), key.get()))
                    : OptionalLong.empty();
        }

        @Override
        public WriteOutcome newDefinition(Decision.NewDefinition decided) {
            task.items().putDefinition(decided.definition());
            task.application().define(decided.definition());
            definitionStored = true;
            advance(marks.passed(offset));
            return new WriteOutcome.Applied(position(), Optional.empty(), Optional.empty());
        }

        @Override
        public WriteOutcome newTimeToLive(Decision.NewTimeToLive decided) {
            task.items().putTimeToLive(decided.setting());
            task.application().define(decided.setting());
            advance(marks.passed(offset));
            return new WriteOutcome.Applied(position(), Optional.empty(), Optional.empty());
        }

        @Override
        public WriteOutcome conditionFailed(Decision.ConditionFailed failed) {
            advance(marks.passed(offset));
            return new WriteOutcome.ConditionFailed(failed.existing());
        }

        /** What somebody waits to hear needs no other record; our own faults always leave one. */
        @Override
        public WriteOutcome refused(Decision.Refused refused) {
            boolean ours = refused.error() == ApiError.INTERNAL;
            if (requestId.isEmpty() || ours) {
                return reject(
                        ours ? RejectReason.FAILED : RejectReason.REFUSED,
                        refused.error(),
                        refused.message());
            }
            advance(marks.passed(offset));
            return new WriteOutcome.Refused(refused.error(), refused.message());
        }

        private WriteOutcome reject(RejectReason reason, ApiError error, String detail) {
            Headers headers =
                    new RecordHeaders()
                            .add(REASON_HEADER, text(reason.code()))
                            .add(DETAIL_HEADER, text(shortened(detail)))
                            .add(PARTITION_HEADER, text(Integer.toString(task.partition())))
                            .add(OFFSET_HEADER, text(Long.toString(offset)));
            int size = bytes(record.key()).length + bytes(record.value()).length;
            boolean fits = size <= MAX_RECORD_SIZE;
            task.context()
                    .forward(
                            new Record<>(
                                    fits ? record.key() : null,
                                    outgoing(fits ? record.value() : null),
                                    record.timestamp(),
                                    headers),
                            REJECTS);
            advance(marks.passed(offset));
            listener.rejected(table.id(), task.partition(), reason);
            return new WriteOutcome.Refused(error, detail);
        }

        private void advance(PartitionMarks next) {
            if (!definitionStored) {
                task.items().putDefinition(task.application().definition());
                definitionStored = true;
            }
            task.items().putMarks(next);
            marks = next;
        }

        private Position position() {
            return new Position(task.partition(), marks.sequence());
        }

        private OutgoingRecord outgoing(byte @Nullable [] value) {
            return new OutgoingRecord(task.partition(), value);
        }

        private ChangeRecord changeRecord(Decision.Change change, PartitionMarks next) {
            ChangeOrigin origin =
                    new ChangeOrigin(
                            new Position(task.partition(), next.sequence()),
                            offset,
                            Instant.ofEpochMilli(next.changedAt()),
                            change.cause());
            Optional<Item> before = change.before();
            Optional<Item> after = change.after();
            if (before.isEmpty()) {
                return new ChangeRecord.Inserted(change.key(), origin, after.orElseThrow());
            }
            return after.isPresent()
                    ? new ChangeRecord.Modified(change.key(), origin, before.get(), after.get())
                    : new ChangeRecord.Removed(change.key(), origin, before.get());
        }
    }

    private static byte[] encodedKey(PrimaryKey key) {
        KeyBytes out = new KeyBytes();
        key.partition().forEach(value -> KeyEncoding.write(value, out));
        key.sort().forEach(value -> KeyEncoding.write(value, out));
        return out.toByteArray();
    }

    private static byte[] bytes(byte @Nullable [] maybe) {
        return maybe == null ? NO_BYTES : maybe;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String shortened(String text) {
        return text.length() > DETAIL_LENGTH ? text.substring(0, DETAIL_LENGTH) : text;
    }
}
