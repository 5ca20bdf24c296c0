package dev.tidemark.launcher.load;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The rows of one file, front to back. Not thread-safe. */
public interface RowSource extends Closeable {

    /**
     * Returns the next row, or empty at the end.
     *
     * @throws IOException if the file can't be read on
     */
    Optional<Row> next() throws IOException;

    /** Returns how many bytes of the file have been read, for progress. */
    long bytesRead();
}
