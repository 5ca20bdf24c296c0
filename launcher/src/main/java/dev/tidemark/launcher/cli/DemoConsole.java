package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.demo.DemoView;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;

/** Shows the demonstration as numbered steps. */
final class DemoConsole implements DemoView {

    private final PrintWriter out;
    private final PrintWriter err;
    private int steps;

    DemoConsole(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void step(String title) {
        steps++;
        out.println();
        out.println(steps + "  " + title);
        out.flush();
    }

    @Override
    public void line(String text) {
        out.println(text.isEmpty() ? "" : "   " + text);
        out.flush();
    }

    /** Shows a line to copy, as it is. */
    void plain(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public Work work(String task, String unit, long goal) {
        ProgressBar bar = Progress.bar(err, "   " + task, goal, unit, 1);
        return new Work() {

            private boolean closed;

            @Override
            public void advanced(long done) {
                bar.stepTo(done);
            }

            @Override
            public void remark(String text) {
                bar.setExtraMessage(text);
            }

            @Override
            public void close() {
                if (!closed) {
                    closed = true;
                    bar.close();
                }
            }
        };
    }
}
