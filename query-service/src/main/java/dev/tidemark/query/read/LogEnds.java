package dev.tidemark.query.read;

import java.util.concurrent.CompletionStage;

/** Tells where logs end. Thread-safe; never blocks. */
@FunctionalInterface
public interface LogEnds {

    /**
     * Returns the end of one partition of a topic for readers of committed records: an offset that
     * is at least that of every record acknowledged before the call, plus one.
     */
    CompletionStage<Long> end(String topic, int partition);
}
