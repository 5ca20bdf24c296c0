package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.load.ItemRules;
import dev.tidemark.launcher.load.Row;
import dev.tidemark.launcher.load.RowFile;
import dev.tidemark.launcher.load.RowSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The readings of one sensor in a file with the columns {@code timestamp} and {@code value}.
 *
 * <p>The file's name is the sensor. Quality and severity come from how far a value lies from the
 * mean of those before it, which weighs recent ones more: beyond three deviations it raises a
 * warning, beyond four a critical alert.
 */
final class FileReadings implements Readings {

    private static final String TIME_COLUMN = "timestamp";
    private static final String VALUE_COLUMN = "value";
    private static final Pattern PLAIN_TIME =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)[ T](\\d\\d:\\d\\d(?::\\d\\d)?)");

    private static final double WARNING = 3;
    private static final double CRITICAL = 4;
    private static final double WEIGHT = 0.02;
    private static final int WARM_UP = 50;

    private final RowSource rows;
    private final String sensor;
    private final long size;
    private double mean;
    private double variance;
    private long seen;
    private long handedOut;
    private Optional<Reading> example = Optional.empty();

    private FileReadings(RowSource rows, String sensor, long size) {
        this.rows = rows;
        this.sensor = sensor;
        this.size = size;
    }

    /**
     * Opens the file; reads it once to count its rows.
     *
     * @param most how many rows are taken at most
     * @throws IOException if it can't be read or lacks the columns
     */
    static FileReadings open(Path file, long most) throws IOException {
        ItemRules rules = new ItemRules(Set.of(VALUE_COLUMN), Map.of(), List.of());
        long count = 0;
        try (RowSource rows = RowFile.of(file).open(rules)) {
            for (Optional<Row> row = rows.next();
                    row.isPresent() && count < most;
                    row = rows.next()) {
                if (count == 0
                        && row.orElseThrow() instanceof Row.Good first
                        && (!first.item().has(TIME_COLUMN) || !first.item().has(VALUE_COLUMN))) {
                    throw new IOException(
                            file + " needs the columns " + TIME_COLUMN + " and " + VALUE_COLUMN);
                }
                count++;
            }
        }
        if (count == 0) {
            throw new IOException(file + " has no rows");
        }
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
        return new FileReadings(RowFile.of(file).open(rules), name, count);
    }

    @Override
    public Optional<Row> next() throws IOException {
        if (handedOut == size) {
            return Optional.empty();
        }
        handedOut++;
        Optional<Row> next = rows.next();
        if (next.isEmpty() || !(next.orElseThrow() instanceof Row.Good good)) {
            return next;
        }
        JsonNode time = good.item().path(TIME_COLUMN).path("S");
        JsonNode value = good.item().path(VALUE_COLUMN).path("N");
        if (time.isMissingNode() || value.isMissingNode()) {
            return Optional.of(
                    new Row.Bad(
                            good.line(),
                            good.item().toString(),
                            "lacks a " + TIME_COLUMN + " or a " + VALUE_COLUMN));
        }
        Reading reading = judge(timeOf(time.textValue()), value.textValue());
        example = Optional.of(reading);
        return Optional.of(new Row.Good(good.line(), reading.item(valueName())));
    }

    /** Returns the time in the ISO form with a zone, if it is one without. */
    private static String timeOf(String text) {
        return PLAIN_TIME.matcher(text).replaceFirst("$1T$2Z");
    }

    private Reading judge(String time, String text) {
        double value = Double.parseDouble(text);
        double distance =
                seen < WARM_UP || variance == 0 ? 0 : Math.abs(value - mean) / Math.sqrt(variance);
        double weight = Math.max(WEIGHT, 1.0 / (seen + 1));
        double step = weight * (value - mean);
        variance = (1 - weight) * (variance + step * (value - mean));
        mean += step;
        seen++;
        Optional<String> severity =
                distance > CRITICAL
                        ? Optional.of("CRITICAL")
                        : distance > WARNING ? Optional.of("WARNING") : Optional.empty();
        int quality = (int) Math.round(Math.max(0, 100 - 20 * distance));
        return new Reading(sensor, time, "building-A", text, quality, severity);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public String origin() {
        return "sensor " + sensor + ", from a file";
    }

    @Override
    public String valueName() {
        return "measurement";
    }

    @Override
    public Optional<Reading> example() {
        return example;
    }

    @Override
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
