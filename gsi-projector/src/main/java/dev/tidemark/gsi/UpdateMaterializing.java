package dev.tidemark.gsi;

import dev.tidemark.gsi.materialize.EntryStore;
import dev.tidemark.gsi.materialize.EntryWrite;
import dev.tidemark.gsi.materialize.Materializer;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.RawIndexUpdate;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Stage 2, one task for each partition of the index: applies updates and tells the progress board.
 *
 * <p>It is initialized when its store is restored, so a partition that is open on the board may be
 * read; its tidemarks there never say more than the store holds.
 */
final class UpdateMaterializing implements Processor<byte[], byte[], Void, Void> {

    private final IndexId index;
    private final int basePartitions;
    private final IndexUpdateCodec codec;
    private final ProgressBoard board;
    private @Nullable Materializer materializer;
    private @Nullable IndexProgress progress;

    UpdateMaterializing(
            IndexId index, int basePartitions, IndexUpdateCodec codec, ProgressBoard board) {
        this.index = index;
        this.basePartitions = basePartitions;
        this.codec = codec;
        this.board = board;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        KeyValueStore<Bytes, byte[]> entries = context.getStateStore(IndexTopics.ENTRIES);
        Materializer restored = new Materializer(new StreamsEntryStore(entries), basePartitions);
        IndexProgress opened =
                new IndexProgress(
                        index,
                        context.taskId().partition(),
                        restored.tidemarks(),
                        restored.times());
        materializer = restored;
        progress = opened;
        board.open(opened);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (materializer == null || progress == null) {
            throw new IllegalStateException("A processor is initialized before it processes");
        }
        RawIndexUpdate update = codec.decodeRaw(record.value());
        if (materializer.apply(update)) {
            progress.appliedUpTo(update.basePartition(), update.sequence(), update.timeMillis());
        }
    }

    @Override
    public void close() {
        if (progress != null) {
            board.close(progress);
            progress = null;
        }
    }

    private record StreamsEntryStore(KeyValueStore<Bytes, byte[]> store) implements EntryStore {
        @Override
        public byte @Nullable [] get(byte[] key) {
            return store.get(Bytes.wrap(key));
        }

        @Override
        public void putAll(List<EntryWrite> writes) {
            List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>(writes.size());
            for (EntryWrite write : writes) {
                entries.add(KeyValue.pair(Bytes.wrap(write.key()), write.value()));
            }
            store.putAll(entries);
        }
    }
}
