package dev.tidemark.query.table;

import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.json.JsonBody;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * OnDemandThroughput and WarmThroughput as a request gives them, for a table or an index. The rules
 * and texts are those of Amazon's endpoints in 2026.
 */
record CapacityRequest(Optional<Units> onDemand, Optional<Units> warm) {

    private static final String MOST_READS = "MaxReadRequestUnits";
    private static final String MOST_WRITES = "MaxWriteRequestUnits";
    private static final String WARM_READS = "ReadUnitsPerSecond";
    private static final String WARM_WRITES = "WriteUnitsPerSecond";
    private static final long NO_BOUND = -1;

    /** Units of reads and of writes, either of which may be left out. */
    record Units(OptionalLong reads, OptionalLong writes) {

        static final Units NONE = new Units(OptionalLong.empty(), OptionalLong.empty());

        static Units read(JsonBody body, String reads, String writes) {
            return new Units(number(body, reads), number(body, writes));
        }

        private static OptionalLong number(JsonBody body, String name) {
            return body.number(name).stream().mapToLong(Long::longValue).findFirst();
        }
    }

    static CapacityRequest read(JsonBody body) {
        return new CapacityRequest(
                body.object("OnDemandThroughput", "OnDemandThroughput")
                        .map(given -> Units.read(given, MOST_READS, MOST_WRITES)),
                body.object("WarmThroughput", "WarmThroughput")
                        .map(given -> Units.read(given, WARM_READS, WARM_WRITES)));
    }

    boolean isGiven() {
        return onDemand.isPresent() || warm.isPresent();
    }

    /** Returns what is kept of a table or an index that is made with this. */
    CapacityOptions atCreation(
            Optional<IndexName> index, BillingMode billing, Throughput provisioned) {
        Units bounds = onDemand.orElse(Units.NONE);
        if (billing == BillingMode.PROVISIONED) {
            refuseProvisioned(MOST_READS, bounds.reads());
            refuseProvisioned(MOST_WRITES, bounds.writes());
        }
        requireBound(index, MOST_READS, bounds.reads(), 1);
        requireBound(index, MOST_WRITES, bounds.writes(), 1);
        CapacityOptions options = CapacityOptions.NONE.withMost(bounds.reads(), bounds.writes());
        if (warm.isEmpty()) {
            return options;
        }
        Throughput least = options.warmUnder(billing, provisioned);
        Throughput asked =
                new Throughput(
                        warmUnits(
                                index, billing, WARM_READS, warm.get().reads(), least.readUnits()),
                        warmUnits(
                                index,
                                billing,
                                WARM_WRITES,
                                warm.get().writes(),
                                least.writeUnits()));
        return options.withWarm(asked);
    }

    /** Checks a change of a table or an index, as far as it needs no table. */
    void checkUpdate(Optional<IndexName> index) {
        Units bounds = onDemand.orElse(Units.NONE);
        requireBound(index, MOST_READS, bounds.reads(), NO_BOUND);
        requireBound(index, MOST_WRITES, bounds.writes(), NO_BOUND);
    }

    /** Returns the change of a table or an index, if one is asked for. */
    Optional<TableChange> change(Optional<IndexName> index) {
        if (!isGiven()) {
            return Optional.empty();
        }
        Units bounds = onDemand.orElse(Units.NONE);
        Units ready = warm.orElse(Units.NONE);
        return Optional.of(
                new TableChange.SetCapacity(
                        index, bounds.reads(), bounds.writes(), ready.reads(), ready.writes()));
    }

    private static void refuseProvisioned(String name, OptionalLong given) {
        if (given.isPresent()) {
            throw TableErrors.invalid(
                    name
                            + " for OnDemandThroughput cannot be specified when table BillingMode"
                            + " is PROVISIONED.");
        }
    }

    private static void requireBound(
            Optional<IndexName> index, String name, OptionalLong given, long least) {
        if (given.isPresent() && (given.getAsLong() < least || given.getAsLong() == 0)) {
            throw TableErrors.invalid(
                    "Requested "
                            + name
                            + " for OnDemandThroughput for "
                            + index.map(one -> "index : " + one).orElse("table")
                            + " is outside of valid range");
        }
    }

    private static long warmUnits(
            Optional<IndexName> index,
            BillingMode billing,
            String name,
            OptionalLong given,
            long least) {
        long units = given.orElse(least);
        if (units < least) {
            throw TableErrors.invalid(
                    "Requested "
                            + name
                            + " for WarmThroughput for "
                            + index.map(one -> "index " + one).orElse("table")
                            + " is lower than "
                            + (billing == BillingMode.PAY_PER_REQUEST
                                    ? TableErrors.ON_DEMAND_START
                                    : (name.equals(WARM_READS)
                                                    ? "ReadCapacityUnits"
                                                    : "WriteCapacityUnits")
                                            + " of ProvisionedThroughput"));
        }
        return units;
    }
}
