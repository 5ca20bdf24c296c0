package dev.tidemark.launcher.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.load.BulkLoad;
import dev.tidemark.launcher.load.Checkpoint;
import dev.tidemark.launcher.load.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;

/** Shows how an import goes on, keeps its refused rows and its checkpoint. */
final class ImportProgress implements BulkLoad.Listener, AutoCloseable {

    private static final long SAVE_EVERY_NANOS = 1_000_000_000L;

    private final CommandLine line;
    private final Path file;
    private final Path refusedFile;
    private final Checkpoint checkpoint;
    private final ProgressBar bar;
    private final long started = System.nanoTime();
    private boolean append;
    private long lastSave = System.nanoTime();

    ImportProgress(
            CommandLine line,
            Path file,
            long bytes,
            Path refusedFile,
            boolean continuing,
            Checkpoint checkpoint) {
        this.line = line;
        this.file = file;
        this.refusedFile = refusedFile;
        this.checkpoint = checkpoint;
        this.append = continuing;
        this.bar = Progress.bar(String.valueOf(file.getFileName()), bytes);
    }

    @Override
    public void advanced(BulkLoad.Totals totals, long bytesRead, long doneLine) {
        bar.stepTo(bytesRead);
        bar.setExtraMessage(
                String.format(
                        Locale.ROOT, " %,d rows, %,.0f rows/s", totals.written(), rate(totals)));
        if (System.nanoTime() - lastSave > SAVE_EVERY_NANOS) {
            lastSave = System.nanoTime();
            save(doneLine);
        }
    }

    @Override
    public void refused(Row.Bad row) {
        ObjectNode entry = Endpoint.JSON.createObjectNode();
        entry.put("line", row.line()).put("reason", row.reason()).put("row", row.text());
        try {
            Files.writeString(
                    refusedFile,
                    entry + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    append ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
            append = true;
        } catch (IOException e) {
            throw new UncheckedIOException("A refused row can't be kept in " + refusedFile, e);
        }
    }

    void finish(BulkLoad.Totals totals) {
        bar.stepTo(bar.getMax());
        bar.close();
        line.getOut()
                .printf(
                        Locale.ROOT,
                        "%s: %,d rows written, %,d refused, in %.1f s (%,.0f rows/s)%n",
                        file,
                        totals.written(),
                        totals.refused(),
                        seconds(),
                        rate(totals));
        if (totals.refused() > 0) {
            line.getOut().println("Refused rows, with line numbers and reasons: " + refusedFile);
        }
        line.getOut().flush();
    }

    @Override
    public void close() {
        bar.close();
    }

    private void save(long doneLine) {
        try {
            checkpoint.save(doneLine);
        } catch (IOException e) {
            throw new UncheckedIOException("The progress of the import can't be kept", e);
        }
    }

    private double rate(BulkLoad.Totals totals) {
        return totals.written() / seconds();
    }

    private double seconds() {
        return Math.max(1e-3, (System.nanoTime() - started) / 1e9);
    }
}
