package dev.tidemark.query.table;

import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.json.JsonBody;
import java.util.Optional;

/** A ProvisionedThroughput as a request gives it. */
record ThroughputRequest(Optional<Long> readUnits, Optional<Long> writeUnits) {

    private static final long MOST_UNITS = 1_000_000_000_000L;

    static Optional<ThroughputRequest> read(JsonBody body) {
        return body.object("ProvisionedThroughput", "ProvisionedThroughput")
                .map(
                        given ->
                                new ThroughputRequest(
                                        given.number("ReadCapacityUnits"),
                                        given.number("WriteCapacityUnits")));
    }

    void check(Constraints constraints, String path) {
        constraints.required(path + ".writeCapacityUnits", writeUnits);
        constraints.between(path + ".writeCapacityUnits", writeUnits, 1, Long.MAX_VALUE);
        constraints.required(path + ".readCapacityUnits", readUnits);
        constraints.between(path + ".readCapacityUnits", readUnits, 1, Long.MAX_VALUE);
    }

    Throughput throughput() {
        long read = readUnits.orElseThrow();
        long write = writeUnits.orElseThrow();
        if (read > MOST_UNITS) {
            throw TableErrors.outOfBounds("ReadCapacityUnits", read);
        }
        if (write > MOST_UNITS) {
            throw TableErrors.outOfBounds("WriteCapacityUnits", write);
        }
        return new Throughput(read, write);
    }
}
