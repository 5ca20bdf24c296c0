package dev.tidemark.launcher.demo;

import java.net.URI;

/** A server that the demonstration started. */
public interface RunningServer extends AutoCloseable {

    /** Returns where it answers. */
    URI uri();

    /** Stops it in order; once is enough. */
    @Override
    void close();
}
