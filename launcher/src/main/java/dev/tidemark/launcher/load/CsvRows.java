package dev.tidemark.launcher.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The rows of a CSV file (RFC 4180, UTF-8) whose first line names the columns. */
final class CsvRows implements RowSource {

    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();

    private final CountingInput input;
    private final CSVParser parser;
    private final Iterator<CSVRecord> records;
    private final List<String> columns;
    private final ItemRules rules;

    CsvRows(Path file, ItemRules rules) throws IOException {
        this.input = new CountingInput(Files.newInputStream(file));
        this.parser =
                CSVParser.parse(
                        new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)),
                        FORMAT);
        this.records = parser.iterator();
        this.rules = rules;
        if (!records.hasNext()) {
            throw new IOException(file + " is empty: its first line must name the columns");
        }
        this.columns = List.of(records.next().values());
        if (columns.stream().anyMatch(String::isBlank)
                || columns.stream().distinct().count() < columns.size()) {
            throw new IOException(
                    file + ": the first line must name every column, each once, but is " + columns);
        }
    }

    @Override
    public Optional<Row> next() throws IOException {
        try {
            if (!records.hasNext()) {
                return Optional.empty();
            }
            CSVRecord csv = records.next();
            long line = parser.getCurrentLineNumber() - lineBreaksIn(csv);
            return Optional.of(row(line, csv));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CSVException) {
                throw new IOException(
                        "line " + parser.getCurrentLineNumber() + ": " + e.getCause().getMessage(),
                        e);
            }
            throw e.getCause();
        }
    }

    private Row row(long line, CSVRecord csv) {
        if (csv.size() != columns.size()) {
            return new Row.Bad(
                    line,
                    String.join(",", csv.values()),
                    "has "
                            + csv.size()
                            + " values where the first line names "
                            + columns.size()
                            + " columns");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int at = 0; at < columns.size(); at++) {
            values.put(columns.get(at), csv.get(at));
        }
        try {
            return new Row.Good(line, rules.itemOf(values));
        } catch (IllegalArgumentException e) {
            return new Row.Bad(
                    line, String.join(",", csv.values()), String.valueOf(e.getMessage()));
        }
    }

    private static long lineBreaksIn(CSVRecord csv) {
        return csv.stream().mapToLong(value -> value.chars().filter(c -> c == '\n').count()).sum();
    }

    @Override
    public long bytesRead() {
        return input.count();
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
