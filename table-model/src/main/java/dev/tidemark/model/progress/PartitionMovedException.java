package dev.tidemark.model.progress;

/** The partition somebody waited for has left this node; the request may be sent again. */
public final class PartitionMovedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PartitionMovedException() {
        super("partition has left this node", null, false, false);
    }
}
