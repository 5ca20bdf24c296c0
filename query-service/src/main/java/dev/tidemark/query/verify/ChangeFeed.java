package dev.tidemark.query.verify;

import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.table.TableDefinition;
import java.util.List;
import java.util.function.Consumer;

/** Gives the changes of a table from some moment on. Not thread-safe; calls may block. */
public interface ChangeFeed extends AutoCloseable {

    /** Opens feeds. Thread-safe. */
    @FunctionalInterface
    interface Source {

        /** Returns a feed that can give every change the table makes from now on. */
        ChangeFeed open(TableDefinition table);
    }

    /** Begins behind these changes, one for each partition, none of them older than the feed. */
    void begin(List<Position> last);

    /**
     * Gives changes not given yet, those of a partition in order, until all up to these are given.
     *
     * @throws IllegalStateException if they do not come in time, or some are gone
     */
    void readUpTo(List<Position> last, Consumer<ChangeRecord> to);

    @Override
    void close();
}
