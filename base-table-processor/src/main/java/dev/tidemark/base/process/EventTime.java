package dev.tidemark.base.process;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Takes a record's own timestamp, and 0 for one before 1970, which Streams would pass over without
 * a word.
 */
public final class EventTime implements TimestampExtractor {

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return Math.max(0, record.timestamp());
    }
}
