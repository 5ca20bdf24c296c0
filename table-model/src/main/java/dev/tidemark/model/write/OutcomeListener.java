package dev.tidemark.model.write;

/** Is told what became of commands, by whoever applies them. */
@FunctionalInterface
public interface OutcomeListener {

    /**
     * Takes the outcome of the command sent under {@code requestId}; unknown ids are ignored.
     * Called on the thread that applies commands, so it must not block or fail.
     */
    void decided(RequestId requestId, WriteOutcome outcome);
}
