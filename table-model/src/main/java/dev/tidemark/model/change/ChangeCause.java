package dev.tidemark.model.change;

/** Who wanted a change. */
public enum ChangeCause {
    /** A caller, or an outside producer, wrote it. */
    REQUEST,
    /** The item's time to live was over. */
    TIME_TO_LIVE
}
