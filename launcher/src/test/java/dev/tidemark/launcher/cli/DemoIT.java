package dev.tidemark.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration on a real node. */
class DemoIT {

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return RootCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void everyIndexAgreesWithTheTable() {
        assertThat(run("demo", "--exit", "--port", "0", "--readings", "3000"))
                .as(() -> out + "\n" + err)
                .isZero();
        assertThat(out.toString())
                .containsPattern("byQuality +3,000 +3,000 +0 +0 +0")
                .containsPattern("bySeverity +(\\d+) +\\1 +0 +0 +0")
                .containsPattern("byBuilding +3,000 +3,000 +0 +0 +0")
                .containsPattern("byDay +3,000 +3,000 +0 +0 +0")
                .containsPattern("leaves the index: (\\d+), then \\d+")
                .containsPattern("byDay +ACTIVE +0 +0 ms")
                .contains("Everything agreed.");
    }

    @Test
    void rowsOfAFileThatOverwriteEachOtherAreOneItem() throws IOException {
        // Given: of every ten rows, the last has the time of the one before it
        StringBuilder csv = new StringBuilder("timestamp,value\r\n");
        LocalDateTime start = LocalDateTime.of(2013, 12, 2, 21, 15);
        for (int row = 0; row < 1_000; row++) {
            LocalDateTime time = start.plusMinutes(5L * (row % 10 == 9 ? row - 1 : row));
            csv.append(time.toString().replace('T', ' '))
                    .append(",")
                    .append(70 + row % 7)
                    .append("\r\n");
        }
        Path file = Files.writeString(folder.resolve("machine.csv"), csv);

        // When
        int code = run("demo", "--exit", "--port", "0", "--from", file.toString());

        // Then
        assertThat(code).as(() -> out + "\n" + err).isZero();
        assertThat(out.toString())
                .contains("of sensor machine, from a file")
                .containsPattern("byDay +900 +900 +0 +0 +0")
                .contains("the table's 900 items");
    }
}
