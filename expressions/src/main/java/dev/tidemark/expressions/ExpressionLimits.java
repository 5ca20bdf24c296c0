package dev.tidemark.expressions;

/**
 * How much one expression may hold. Source of the limits of a request: "Constraints in DynamoDB",
 * expression parameters.
 */
public enum ExpressionLimits {

    /** What a caller writes: 4,096 bytes, 300 operators. */
    OF_A_REQUEST(4096, 300),

    /**
     * What stands in the log, and what parameters of another form are put into: as much as a record
     * holds. Whoever wrote it has asked for the limits of a request already, or was under none.
     */
    OF_THE_LOG(4_000_000, Integer.MAX_VALUE);

    private final int bytes;
    private final int operators;

    ExpressionLimits(int bytes, int operators) {
        this.bytes = bytes;
        this.operators = operators;
    }

    int bytes() {
        return bytes;
    }

    int operators() {
        return operators;
    }
}
