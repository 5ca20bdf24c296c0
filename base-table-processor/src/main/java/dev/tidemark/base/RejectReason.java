package dev.tidemark.base;

/** Why a record of the write topic was put aside and not applied. */
public enum RejectReason {
    /** The bytes are no command: garbage, or of a schema that can't be read as one. */
    UNREADABLE("unreadable"),
    /** The record's key is not the canonical bytes of its item's partition key value. */
    WRONG_KEY("wrong-key"),
    /** The record lies in another partition than the one its key falls into. */
    WRONG_PARTITION("wrong-partition"),
    /** The command can't be applied to the table or the item, and nobody waited to be told so. */
    REFUSED("refused"),
    /** Applying the command failed for a fault of ours. */
    FAILED("failed");

    private final String code;

    RejectReason(String code) {
        this.code = code;
    }

    /** Returns the word that stands in the record's header and in metrics. */
    public String code() {
        return code;
    }
}
