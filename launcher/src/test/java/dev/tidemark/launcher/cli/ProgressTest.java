package dev.tidemark.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import me.tongfei.progressbar.ProgressBar;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final StringWriter err = new StringWriter();

    private ProgressBar bar(long max) {
        return Progress.bar(new PrintWriter(err, true), "writing", max, "rows", 1);
    }

    @Test
    void offATerminalTheStateIsPrintedInPlainLines() {
        try (ProgressBar bar = bar(4_000)) {
            bar.stepTo(1_000);
            bar.setExtraMessage("byDay 12%");
            bar.refresh();
        }
        assertThat(err.toString().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).matches("[\\x20-\\x7e]+"))
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .matches(
                                                "writing \\[======> {17}] 25%  1,000 of 4,000 rows,"
                                                        + " [\\d,]+/s, ETA 0:00:\\d\\d, byDay 12%"));
    }

    @Test
    void nothingToDoIsDone() {
        bar(0).close();
        assertThat(err.toString()).contains("100%  0 of 0 rows, 0/s");
    }
}
