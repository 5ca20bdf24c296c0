package dev.tidemark.model.change;

/** Who wanted a change. */
public enum ChangeCause {
    /** A caller, or an outside producer, wrote it. */
    REQUEST,
    /** The item's time to live was over. */
    TIME_TO_LIVE,
    /**
     * An index is to be mended: nothing happened to the item, which is the image after. The image
     * before is not what the item was, but one that an index may still have an entry of.
     */
    REPAIR
}
