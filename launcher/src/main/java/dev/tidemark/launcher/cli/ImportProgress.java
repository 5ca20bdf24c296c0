package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.load.BulkLoad;
import dev.tidemark.launcher.load.Checkpoint;
import dev.tidemark.launcher.load.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;

/** Shows how the import of one file goes on, keeps its refused rows and its checkpoint. */
final class ImportProgress implements BulkLoad.Listener, AutoCloseable {

    private static final long SAVE_EVERY_NANOS = 1_000_000_000L;
    private static final int KILOBYTE = 1024;

    private final CommandLine line;
    private final Path file;
    private final RefusedRows refusedRows;
    private final Checkpoint checkpoint;
    private final ProgressBar bar;
    private final long started = System.nanoTime();
    private BulkLoad.Totals totals = new BulkLoad.Totals(0, 0);
    private long lastSave = System.nanoTime();
    private long doneLine;
    private boolean complete;

    /**
     * Begins.
     *
     * @param doneLine where an earlier run came to, or 0
     */
    ImportProgress(
            CommandLine line,
            Path file,
            RefusedRows refusedRows,
            Checkpoint checkpoint,
            long doneLine)
            throws IOException {
        this.line = line;
        this.file = file;
        this.refusedRows = refusedRows;
        this.checkpoint = checkpoint;
        this.doneLine = doneLine;
        this.bar =
                Progress.bar(
                        line.getErr(),
                        String.valueOf(file.getFileName()),
                        Files.size(file),
                        "KB",
                        KILOBYTE);
    }

    @Override
    public void advanced(BulkLoad.Totals reached, long bytesRead, long line) {
        totals = reached;
        doneLine = line;
        bar.stepTo(bytesRead);
        bar.setExtraMessage(
                String.format(Locale.ROOT, "%,d rows, %,.0f rows/s", reached.written(), rate()));
        if (System.nanoTime() - lastSave > SAVE_EVERY_NANOS) {
            save();
        }
    }

    @Override
    public void refused(Row.Bad row) {
        refusedRows.add(row);
    }

    /** Ends a complete import. */
    void finish(BulkLoad.Totals reached) throws IOException {
        totals = reached;
        complete = true;
        bar.close();
        checkpoint.remove();
        print(
                "%s: %,d rows written, %,d refused, in %.1f s (%,.0f rows/s)%n",
                file, totals.written(), refusedRows.count(), seconds(), rate());
        if (refusedRows.count() > 0) {
            print("Refused rows, with line numbers and reasons: %s%n", refusedRows.path());
        }
    }

    @Override
    public void close() {
        if (complete) {
            return;
        }
        bar.close();
        if (doneLine > 0) {
            save();
            print(
                    "%s: stopped after line %d, %,d rows written; the same command goes on from"
                            + " there%n",
                    file, doneLine, totals.written());
        }
    }

    private void save() {
        lastSave = System.nanoTime();
        try {
            checkpoint.save(doneLine);
        } catch (IOException e) {
            throw new UncheckedIOException("The progress of the import can't be kept", e);
        }
    }

    private void print(String form, Object... values) {
        line.getOut().printf(Locale.ROOT, form, values);
        line.getOut().flush();
    }

    private double rate() {
        return totals.written() / seconds();
    }

    private double seconds() {
        return Math.max(1e-3, (System.nanoTime() - started) / 1e9);
    }
}
