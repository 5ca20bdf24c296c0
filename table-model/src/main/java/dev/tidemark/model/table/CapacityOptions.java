package dev.tidemark.model.table;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the owner says of the capacity of a table or an index beside its provisioned throughput.
 * Kept and told; nothing here is throttled.
 *
 * @param mostReads the most read units a second on demand, if bounded
 * @param mostWrites the most write units a second on demand, if bounded
 * @param warm units a second asked to be there at once, or ever provisioned; never less later
 * @param raisedAt when provisioned throughput was last raised
 * @param loweredAt when it was last lowered
 * @param lowerings how often it was lowered on the day (UTC) it was last lowered
 */
public record CapacityOptions(
        OptionalLong mostReads,
        OptionalLong mostWrites,
        Throughput warm,
        Optional<Instant> raisedAt,
        Optional<Instant> loweredAt,
        int lowerings) {

    public static final CapacityOptions NONE =
            new CapacityOptions(
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    Throughput.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    0);

    /**
     * What on-demand capacity begins with: 4,000 writes and 12,000 reads a second. Source: the
     * DynamoDB Developer Guide.
     */
    public static final Throughput ON_DEMAND_START = new Throughput(12_000, 4_000);

    /** Returns the units a second that are there at once under this billing. */
    public Throughput warmUnder(BillingMode mode, Throughput provisioned) {
        Throughput least = mode == BillingMode.PAY_PER_REQUEST ? ON_DEMAND_START : provisioned;
        return new Throughput(
                Math.max(warm.readUnits(), least.readUnits()),
                Math.max(warm.writeUnits(), least.writeUnits()));
    }

    public CapacityOptions withMost(OptionalLong reads, OptionalLong writes) {
        return new CapacityOptions(reads, writes, warm, raisedAt, loweredAt, lowerings);
    }

    public CapacityOptions withWarm(Throughput next) {
        return new CapacityOptions(mostReads, mostWrites, next, raisedAt, loweredAt, lowerings);
    }

    /** Returns this after provisioned throughput has changed at a moment. */
    public CapacityOptions reprovisioned(Throughput from, Throughput to, Instant at) {
        boolean raised = to.readUnits() > from.readUnits() || to.writeUnits() > from.writeUnits();
        boolean lowered = to.readUnits() < from.readUnits() || to.writeUnits() < from.writeUnits();
        return new CapacityOptions(
                mostReads,
                mostWrites,
                warm,
                raised ? Optional.of(at) : raisedAt,
                lowered ? Optional.of(at) : loweredAt,
                lowered ? loweringsOn(at) + 1 : lowerings);
    }

    /** Returns how often provisioned throughput was lowered on the day (UTC) of {@code moment}. */
    public int loweringsOn(Instant moment) {
        return loweredAt.filter(last -> day(last).equals(day(moment))).isPresent() ? lowerings : 0;
    }

    private static LocalDate day(Instant moment) {
        return LocalDate.ofInstant(moment, ZoneOffset.UTC);
    }
}
