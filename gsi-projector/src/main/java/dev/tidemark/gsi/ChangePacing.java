package dev.tidemark.gsi;

import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.jspecify.annotations.Nullable;

/** Hands on changes as they come, but no faster than the pace allows. */
final class ChangePacing implements FixedKeyProcessor<byte[], byte[], byte[]> {

    private final BackfillPace pace;
    private @Nullable FixedKeyProcessorContext<byte[], byte[]> context;

    ChangePacing(BackfillPace pace) {
        this.pace = pace;
    }

    @Override
    public void init(FixedKeyProcessorContext<byte[], byte[]> newContext) {
        this.context = newContext;
    }

    @Override
    public void process(FixedKeyRecord<byte[], byte[]> record) {
        if (context == null) {
            throw new IllegalStateException("A processor is initialized before it processes");
        }
        pace.take();
        context.forward(record);
    }
}
