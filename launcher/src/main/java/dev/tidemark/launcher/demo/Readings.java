package dev.tidemark.launcher.demo;

import dev.tidemark.launcher.load.RowSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The readings that the demonstration writes, front to back. */
public interface Readings extends RowSource {

    /** Returns {@code size} readings of simulated sensors; the same seed makes the same ones. */
    static Readings simulated(long size, long seed) {
        return new SimulatedReadings(size, seed);
    }

    /**
     * Returns the readings of one sensor in a file with the columns timestamp and value.
     *
     * @param most how many rows are taken at most
     * @throws IOException if it can't be read or lacks the columns
     */
    static Readings of(Path file, long most) throws IOException {
        return FileReadings.open(file, most);
    }

    /** Returns how many rows there are. */
    long size();

    /** Returns what they are, such as "12 simulated sensors". */
    String origin();

    /** Returns the attribute that holds what is measured. */
    String valueName();

    /** Returns the newest reading handed out so far of the sensor that examples ask about. */
    Optional<Reading> example();
}
