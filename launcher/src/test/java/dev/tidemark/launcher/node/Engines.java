package dev.tidemark.launcher.node;

import dev.tidemark.model.progress.IndexId;
import org.apache.kafka.streams.KafkaStreams;

/** Lets tests of other packages halt what a node runs. */
public final class Engines {

    private Engines() {}

    /** Returns the engine of an index on a node. */
    public static KafkaStreams of(Node node, IndexId index) {
        return node.engine(index).orElseThrow();
    }
}
