package dev.tidemark.benchmarks;

import dev.tidemark.gsi.projection.ChangeProjection;
import dev.tidemark.gsi.projection.PlacedUpdate;
import dev.tidemark.lsi.LocalIndexMaintenance;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.Projection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What changes of an item do to its indexes. */
@State(Scope.Benchmark)
public class ProjectionBenchmark {

    private static final GlobalIndex SPARSE = SensorReadings.TABLE.globalIndexes().get(0);
    private static final GlobalIndex FULL = SensorReadings.TABLE.globalIndexes().get(1);

    private final Item reading = SensorReadings.reading(4_321);
    private final PrimaryKey key = SensorReadings.keyOf(reading);
    private final Item warmer =
            SensorReadings.with(
                    reading, SensorReadings.TEMPERATURE, SensorReadings.number("31.25"));
    private final Item moved =
            SensorReadings.with(
                    reading, SensorReadings.BUILDING_ID, SensorReadings.string("building-49"));
    private final IndexMaintenance maintenance =
            new IndexMaintenance(SensorReadings.KEY, FULL.key(), new Projection.All());
    private final IndexMaintenance keysOnly =
            new IndexMaintenance(SensorReadings.KEY, FULL.key(), new Projection.KeysOnly());
    private final ChangeProjection toFull = new ChangeProjection(SensorReadings.TABLE, FULL);
    private final ChangeProjection toSparse = new ChangeProjection(SensorReadings.TABLE, SPARSE);
    private final LocalIndexMaintenance local = new LocalIndexMaintenance(SensorReadings.TABLE);
    private final ChangeOrigin origin = new ChangeOrigin(new Position(1, 42), 42, Instant.EPOCH);
    private final ChangeRecord inserted = new ChangeRecord.Inserted(key, origin, reading);
    private final ChangeRecord relocated = new ChangeRecord.Modified(key, origin, reading, moved);

    /** An insertion into an index that projects everything. */
    @Benchmark
    public List<IndexWrite> insert() {
        return maintenance.writesFor(key, Optional.empty(), Optional.of(reading));
    }

    /** An update of an attribute that is no key of the index. */
    @Benchmark
    public List<IndexWrite> updateInPlace() {
        return maintenance.writesFor(key, Optional.of(reading), Optional.of(warmer));
    }

    /** An update that a KEYS_ONLY index does not see. */
    @Benchmark
    public List<IndexWrite> updateUnseen() {
        return keysOnly.writesFor(key, Optional.of(reading), Optional.of(warmer));
    }

    /** An update of the index key: a delete and a put. */
    @Benchmark
    public List<IndexWrite> updateOfKey() {
        return maintenance.writesFor(key, Optional.of(reading), Optional.of(moved));
    }

    /** An insertion, up to the updates of a global index with their keys and partitions. */
    @Benchmark
    public List<PlacedUpdate> insertPlaced() {
        return toFull.project(inserted).updates();
    }

    /** An update of the index key, up to the updates with their keys and partitions. */
    @Benchmark
    public List<PlacedUpdate> updateOfKeyPlaced() {
        return toFull.project(relocated).updates();
    }

    /** An insertion that a sparse index does not see. */
    @Benchmark
    public List<PlacedUpdate> insertUnseen() {
        return toSparse.project(inserted).updates();
    }

    /** An insertion, up to the bytes of the entry of a local index. */
    @Benchmark
    public Object insertLocal() {
        return local.changeFor(key, Optional.empty(), Optional.of(reading), 0);
    }
}
