package dev.tidemark.wire;

import dev.tidemark.wire.registry.SchemaRegistry;
import java.util.ArrayList;
import java.util.List;

/** Framed records of every kind, for tests outside this package. */
public final class WireRecords {

    private WireRecords() {}

    public static List<byte[]> framed(SchemaRegistry registry) {
        WriteCodec writes = new WriteCodec(registry);
        ChangeCodec changes = new ChangeCodec(registry, Samples.KEY);
        IndexUpdateCodec updates = new IndexUpdateCodec(registry);
        List<byte[]> framed = new ArrayList<>();
        for (int seed = 0; seed < 50; seed++) {
            Samples samples = new Samples(seed);
            framed.add(writes.encode(samples.command()));
            framed.add(changes.encode(samples.change()));
            framed.add(updates.encode(samples.update()));
        }
        return framed;
    }
}
