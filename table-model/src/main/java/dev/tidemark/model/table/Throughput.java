package dev.tidemark.model.table;

/**
 * Provisioned capacity; 0 of each under {@link BillingMode#PAY_PER_REQUEST}.
 *
 * @param readUnits read capacity units a second
 * @param writeUnits write capacity units a second
 */
public record Throughput(long readUnits, long writeUnits) {

    public static final Throughput NONE = new Throughput(0, 0);

    public Throughput {
        if (readUnits < 0 || writeUnits < 0) {
            throw new IllegalArgumentException("Invalid throughput: negative");
        }
    }
}
