package dev.tidemark.query.item;

import dev.tidemark.query.Messages;
import java.util.List;

/** The parameters that expressions have replaced. */
final class LegacyParameters {

    private LegacyParameters() {}

    /** Refuses them by name: what is not understood is never ignored. */
    static void refuse(List<String> given) {
        if (!given.isEmpty()) {
            throw Messages.unsupported(given.get(0));
        }
    }
}
