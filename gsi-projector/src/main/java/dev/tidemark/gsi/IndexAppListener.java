package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.progress.IndexId;

/** Is told what an index app can't deal with by itself. Called on its threads: must not block. */
public interface IndexAppListener {

    /** Takes why an app has stopped: it does not go on by itself, and its index answers no more. */
    void stopped(IndexId index, String reason);

    /**
     * Takes that an app has stopped because changes it had not read are missing from the table's
     * log; told beside the reason. The index has to be built anew.
     */
    default void overtaken(IndexId index) {}

    /**
     * Takes that an item has the attributes of the index's key but no place in the index. Told once
     * for each change that leaves such an item behind, and again for those after a restart.
     */
    void unsuitable(IndexId index, Unsuitable why);
}
