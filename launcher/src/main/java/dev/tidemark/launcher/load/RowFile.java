package dev.tidemark.launcher.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file of rows.
 *
 * @param path where it is
 * @param format how its rows are written
 */
public record RowFile(Path path, Format format) {

    /** How rows are written. */
    public enum Format {
        CSV,
        JSON_LINES
    }

    /**
     * Returns the file with the format its name tells: JSON lines for .jsonl, .ndjson and .json,
     * else CSV.
     */
    public static RowFile of(Path path) {
        String name = path.toString().toLowerCase(Locale.ROOT);
        boolean json =
                name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json");
        return new RowFile(path, json ? Format.JSON_LINES : Format.CSV);
    }

    /**
     * Opens the file.
     *
     * @throws IOException if it can't be read
     */
    public RowSource open(ItemRules rules) throws IOException {
        return switch (format) {
            case CSV -> CsvRows.open(path, rules);
            case JSON_LINES -> JsonLinesRows.open(path, rules);
        };
    }
}
