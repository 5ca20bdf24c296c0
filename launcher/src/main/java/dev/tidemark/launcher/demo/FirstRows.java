package dev.tidemark.launcher.demo;

import dev.tidemark.launcher.load.Row;
import dev.tidemark.launcher.load.RowSource;
import java.io.IOException;
import java.util.Optional;

/** The next so many rows of a source, which goes on behind them and stays open. */
final class FirstRows implements RowSource {

    private final RowSource source;
    private long left;

    FirstRows(RowSource source, long count) {
        this.source = source;
        this.left = count;
    }

    @Override
    public Optional<Row> next() throws IOException {
        if (left == 0) {
            return Optional.empty();
        }
        left--;
        return source.next();
    }

    @Override
    public long bytesRead() {
        return source.bytesRead();
    }

    @Override
    public void close() {}
}
