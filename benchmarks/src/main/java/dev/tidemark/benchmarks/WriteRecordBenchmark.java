package dev.tidemark.benchmarks;

import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import dev.tidemark.wire.ChangeCodec;
import dev.tidemark.wire.WriteCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.time.Instant;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The records of the two topics every write passes through. */
@State(Scope.Benchmark)
public class WriteRecordBenchmark {

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final WriteCodec writes = new WriteCodec(registry);
    private final ChangeCodec changes = new ChangeCodec(registry, SensorReadings.KEY);
    private final Item reading = SensorReadings.reading(4_321);
    private final WriteCommand command =
            new WriteCommand(
                    Optional.of(new RequestId(1, 2)),
                    new Write.PutItem(reading, Optional.empty(), Placeholders.NONE));
    private final ChangeRecord change =
            new ChangeRecord.Inserted(
                    SensorReadings.keyOf(reading),
                    new ChangeOrigin(new Position(1, 42), 42, Instant.EPOCH),
                    reading);
    private final byte[] writeRecord = writes.encode(command);
    private final byte[] changeRecord = changes.encode(change);

    /** Makes the record of a PutItem. */
    @Benchmark
    public byte[] encodeWrite() {
        return writes.encode(command);
    }

    /** Reads the record of a PutItem. */
    @Benchmark
    public WriteCommand decodeWrite() {
        return writes.decode(writeRecord);
    }

    /** Makes the record of an insertion. */
    @Benchmark
    public byte[] encodeChange() {
        return changes.encode(change);
    }

    /** Reads the record of an insertion. */
    @Benchmark
    public ChangeRecord decodeChange() {
        return changes.decode(changeRecord);
    }
}
