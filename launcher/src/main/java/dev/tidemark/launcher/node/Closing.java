package dev.tidemark.launcher.node;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be stopped in the opposite order. A part that fails to stop does not
 * keep the others up.
 */
final class Closing implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part and returns it. */
    synchronized <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // the boundary of every part: the others must stop too
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOGGER.atWarn()
                        .setCause(e)
                        .addKeyValue("part", part.getClass().getSimpleName())
                        .log("a part did not stop in order");
            }
        }
    }
}
