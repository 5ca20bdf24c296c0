package dev.tidemark.query.read;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.TableId;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;

/** Finds the Streams applications that run on this node. Thread-safe; never blocks. */
public interface StreamsDirectory {

    /** Returns the application that applies a table's writes, or empty if none runs here. */
    Optional<KafkaStreams> base(TableId table);

    /** Returns the application of one generation of an index, or empty if none runs here. */
    Optional<KafkaStreams> index(IndexId index);
}
