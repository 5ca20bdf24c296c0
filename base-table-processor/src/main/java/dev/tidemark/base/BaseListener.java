package dev.tidemark.base;

import dev.tidemark.model.table.TableId;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Is told what befalls the app of a table. Called on the app's threads, so it must neither block
 * nor fail.
 */
public interface BaseListener {

    /** A listener that does nothing. */
    BaseListener NONE = new BaseListener() {};

    /**
     * A record was put aside. After a crash the same record may be put aside, and told, again; the
     * rejects topic holds it once.
     */
    default void rejected(TableId table, int partition, RejectReason reason) {}

    /** A record came that the partition's state already covers; it was passed over. */
    default void passedOver(TableId table, int partition, long offset) {}

    /** The app went from one state into another. */
    default void stateChanged(TableId table, KafkaStreams.State from, KafkaStreams.State to) {}

    /**
     * The app has stopped for good: to go on might break a promise. It stays stopped until it is
     * closed and another is started.
     */
    default void failed(TableId table, Throwable reason) {}
}
