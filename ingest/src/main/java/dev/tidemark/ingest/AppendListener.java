package dev.tidemark.ingest;

/** Is told how appending goes, to measure it. Called on the producer's thread; must not block. */
public interface AppendListener {

    /** Ignores everything. */
    AppendListener NONE =
            new AppendListener() {
                @Override
                public void appended(long nanos) {}

                @Override
                public void failed() {}

                @Override
                public void overloaded() {}
            };

    /** The log has acknowledged a record, {@code nanos} after it was handed in. */
    void appended(long nanos);

    /** A record was not acknowledged. */
    void failed();

    /** A write was turned away for lack of room. */
    void overloaded();
}
