package dev.tidemark.launcher.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.load.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of one file that were refused, kept as JSON lines in another, which is there only if
 * there are any. Not thread-safe.
 */
final class RefusedRows {

    private final Path path;
    private final String source;
    private long count;

    private RefusedRows(Path path, String source) {
        this.path = path;
        this.source = source;
    }

    /**
     * Begins to keep rows of {@code source}. What {@code path} holds of lines up to {@code
     * doneLine} is kept, and counts; what it holds of later lines will come again and is removed.
     *
     * @param shared whether rows of other files are kept too
     */
    static RefusedRows open(Path path, Path source, long doneLine, boolean shared)
            throws IOException {
        RefusedRows rows = new RefusedRows(path, source.toString());
        if (Files.exists(path)) {
            rows.keep(doneLine, shared);
        }
        return rows;
    }

    Path path() {
        return path;
    }

    /** Returns how many rows of this source were refused, also by the runs before. */
    long count() {
        return count;
    }

    void add(Row.Bad row) {
        ObjectNode entry = Endpoint.JSON.createObjectNode();
        entry.put("file", source).put("line", row.line());
        entry.put("reason", row.reason()).put("row", row.text());
        try {
            Files.writeString(
                    path,
                    entry + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("A refused row can't be kept in " + path, e);
        }
        count++;
    }

    private void keep(long doneLine, boolean shared) throws IOException {
        List<String> kept = new ArrayList<>();
        for (String text : Files.readAllLines(path, StandardCharsets.UTF_8)) {
            JsonNode entry = Endpoint.JSON.readTree(text);
            boolean own = entry.path("file").asText().equals(source);
            if (own && entry.path("line").asLong() <= doneLine) {
                count++;
                kept.add(text);
            } else if (!own && shared) {
                kept.add(text);
            }
        }
        if (kept.isEmpty()) {
            Files.delete(path);
        } else {
            Files.write(path, kept, StandardCharsets.UTF_8);
        }
    }
}
