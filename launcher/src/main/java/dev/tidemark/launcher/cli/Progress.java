package dev.tidemark.launcher.cli;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/**
 * Progress bars as this program shows them: what is done, how fast, and how long it will take.
 *
 * <p>On a terminal one line is drawn again and again and cleared at the end; elsewhere a line is
 * printed now and then, without control characters.
 */
final class Progress {

    private static final int TERMINAL_INTERVAL_MILLIS = 100;
    private static final int LOG_INTERVAL_MILLIS = 5_000;
    private static final int LOG_WIDTH = 160;
    private static final int BAR = 24;

    private Progress() {}

    /**
     * Starts a bar on {@code err}.
     *
     * @param unit what is counted
     * @param unitSize how much of it is one of the unit; the rate is left out unless it is 1
     */
    static ProgressBar bar(PrintWriter err, String task, long max, String unit, long unitSize) {
        ProgressBarBuilder builder =
                new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(max)
                        .setRenderer((state, width) -> fit(line(state, unit, unitSize), width));
        if (isTerminal(System.getenv())) {
            return builder.setUpdateIntervalMillis(TERMINAL_INTERVAL_MILLIS)
                    .clearDisplayOnFinish()
                    .build();
        }
        return builder.setUpdateIntervalMillis(LOG_INTERVAL_MILLIS)
                .setConsumer(new DelegatingProgressBarConsumer(new Lines(err)::print, LOG_WIDTH))
                .build();
    }

    private static String line(ProgressState state, String unit, long unitSize) {
        double seconds = Math.max(1e-3, state.getElapsedAfterStart().toNanos() / 1e9);
        long done = state.getCurrent();
        long max = Math.max(done, state.getMax());
        double rate = done / seconds;
        int filled = max == 0 ? BAR : (int) (BAR * done / max);
        StringBuilder text = new StringBuilder();
        text.append(state.getTaskName()).append(" [");
        text.append("=".repeat(filled)).append(filled < BAR ? ">" : "");
        text.append(" ".repeat(Math.max(0, BAR - filled - 1))).append("] ");
        text.append(max == 0 ? 100 : 100 * done / max).append("%  ");
        text.append(
                String.format(Locale.ROOT, "%,d of %,d %s", done / unitSize, max / unitSize, unit));
        if (unitSize == 1) {
            text.append(String.format(Locale.ROOT, ", %,.0f/s", rate));
        }
        if (done > 0 && done < max) {
            text.append(", ETA ").append(time((max - done) / rate));
        }
        if (!state.getExtraMessage().isEmpty()) {
            text.append(", ").append(state.getExtraMessage());
        }
        return text.toString();
    }

    private static String time(double seconds) {
        long whole = (long) Math.ceil(seconds);
        return String.format(
                Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    private static String fit(String line, int width) {
        return width > 0 && line.length() > width ? line.substring(0, width) : line;
    }

    /** Returns whether a line on the error stream can be drawn again. */
    @SuppressWarnings("SystemConsoleNull") // asked below what null no longer tells
    private static boolean isTerminal(Map<String, String> environment) {
        Console console = System.console();
        if (console == null || environment.getOrDefault("TERM", "dumb").equals("dumb")) {
            return false;
        }
        try {
            // from JDK 22 on there is a console even where there is no terminal
            if (!(boolean) Console.class.getMethod("isTerminal").invoke(console)) {
                return false;
            }
        } catch (NoSuchMethodException e) {
            // an older JDK: the console is a terminal
        } catch (ReflectiveOperationException e) {
            return false;
        }
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return true; // not Linux
        }
    }

    /** Prints what has changed since the last line. */
    private static final class Lines {

        private final PrintWriter err;
        private String last = "";

        Lines(PrintWriter err) {
            this.err = err;
        }

        void print(String text) {
            String line = text.strip();
            if (!line.equals(last)) {
                last = line;
                err.println(line);
                err.flush();
            }
        }
    }
}
