package dev.tidemark.launcher.load;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * How far the load of one file into one table has come, kept in a small file so that a load that
 * was stopped goes on where it was. A file that has changed meanwhile starts anew. Not thread-safe.
 */
public final class Checkpoint {

    private final Path path;
    private final Properties identity;

    private Checkpoint(Path path, Properties identity) {
        this.path = path;
        this.identity = identity;
    }

    /**
     * Returns the checkpoint of loading {@code file} into {@code table} on {@code endpoint}, kept
     * in {@code folder}.
     *
     * @throws IOException if the file is not there
     */
    public static Checkpoint of(Path folder, Path file, String table, String endpoint)
            throws IOException {
        Properties identity = new Properties();
        identity.setProperty("file", file.toRealPath().toString());
        identity.setProperty("size", Long.toString(Files.size(file)));
        identity.setProperty("modified", Files.getLastModifiedTime(file).toString());
        identity.setProperty("table", table);
        identity.setProperty("endpoint", endpoint);
        return new Checkpoint(
                folder.resolve(file.getFileName() + "." + table + ".import-progress"), identity);
    }

    /**
     * Returns the last line that is done, or 0 if nothing is.
     *
     * @throws IOException if the checkpoint is there and can't be read
     */
    public long doneLine() throws IOException {
        if (!Files.exists(path)) {
            return 0;
        }
        Properties kept = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            kept.load(reader);
        }
        String line = kept.getProperty("line", "0");
        kept.remove("line");
        return kept.equals(identity) && line.matches("\\d{1,18}") ? Long.parseLong(line) : 0;
    }

    /**
     * Notes that every row up to {@code line} is done.
     *
     * @throws IOException if it can't be written
     */
    public void save(long line) throws IOException {
        Properties properties = new Properties();
        properties.putAll(identity);
        properties.setProperty("line", Long.toString(line));
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        try (Writer writer = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
            properties.store(writer, "How far an import has come; remove it to start anew");
        }
        Files.move(
                fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Forgets it: the load is complete.
     *
     * @throws IOException if it can't be removed
     */
    public void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
