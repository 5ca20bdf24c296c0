package dev.tidemark.launcher.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The rows of a CSV file (RFC 4180, UTF-8) whose first line names the columns. */
final class CsvRows implements RowSource {

    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();

    private static final Pattern LINE_BREAK = Pattern.compile("\\r\\n|\\r|\\n");

    private final CountingInput input;
    private final CSVParser parser;
    private final Iterator<CSVRecord> records;
    private final List<String> columns;
    private final ItemRules rules;

    private CsvRows(CountingInput input, CSVParser parser, List<String> columns, ItemRules rules) {
        this.input = input;
        this.parser = parser;
        this.records = parser.iterator();
        this.columns = columns;
        this.rules = rules;
    }

    /**
     * Opens a file.
     *
     * @throws IOException if it can't be read, or its first line does not name the columns
     */
    static CsvRows open(Path file, ItemRules rules) throws IOException {
        CountingInput input = new CountingInput(Files.newInputStream(file));
        try {
            CSVParser parser = CSVParser.parse(Utf8Text.open(input), FORMAT);
            return new CsvRows(input, parser, columns(file, parser), rules);
        } catch (IOException e) {
            input.close();
            throw e;
        }
    }

    private static List<String> columns(Path file, CSVParser parser) throws IOException {
        Optional<CSVRecord> first = next(parser, parser.iterator());
        if (first.isEmpty()) {
            throw new IOException(file + " is empty: its first line must name the columns");
        }
        List<String> columns = List.of(first.orElseThrow().values());
        if (columns.stream().anyMatch(String::isBlank)
                || columns.stream().distinct().count() < columns.size()) {
            throw new IOException(
                    file + ": the first line must name every column, each once, but is " + columns);
        }
        return columns;
    }

    private static Optional<CSVRecord> next(CSVParser parser, Iterator<CSVRecord> records)
            throws IOException {
        try {
            return records.hasNext() ? Optional.of(records.next()) : Optional.empty();
        } catch (UncheckedIOException e) {
            long line = parser.getCurrentLineNumber();
            if (e.getCause() instanceof CharacterCodingException wrong) {
                throw Utf8Text.notUtf8(line, wrong);
            }
            if (e.getCause() instanceof CSVException wrong) {
                throw new IOException("line " + line + ": " + wrong.getMessage(), e);
            }
            throw e.getCause();
        }
    }

    @Override
    public Optional<Row> next() throws IOException {
        return next(parser, records)
                .map(csv -> row(parser.getCurrentLineNumber() - lineBreaksIn(csv), csv));
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
        return csv.stream().mapToLong(value -> LINE_BREAK.matcher(value).results().count()).sum();
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
