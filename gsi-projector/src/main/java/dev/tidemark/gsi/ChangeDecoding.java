package dev.tidemark.gsi;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.wire.ChangeCodec;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.jspecify.annotations.Nullable;

/**
 * Opens the records of the topic of changes. Ours are the only ones there, so one that can't be
 * opened stops the app. A tombstone, which compaction needs after a deletion, is no change.
 */
final class ChangeDecoding implements FixedKeyProcessor<byte[], byte @Nullable [], ChangeRecord> {

    private final ChangeCodec codec;
    private @Nullable FixedKeyProcessorContext<byte[], ChangeRecord> context;

    ChangeDecoding(ChangeCodec codec) {
        this.codec = codec;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], ChangeRecord> newContext) {
        this.context = newContext;
    }

    @Override
    public void process(FixedKeyRecord<byte[], byte @Nullable []> record) {
        byte[] value = record.value();
        if (value != null && context != null) {
            context.forward(record.withValue(codec.decode(value)));
        }
    }
}
