package dev.tidemark.launcher.cli;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Progress bars as this program shows them: on the terminal's error stream, with a rate and the
 * time left.
 */
final class Progress {

    private Progress() {}

    static ProgressBar bar(String task, long max) {
        boolean terminal = System.console() != null;
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(max)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(terminal ? 200 : 5_000)
                .setMaxRenderedLength(terminal ? -1 : 110)
                .setUnit(" KB", 1024)
                .clearDisplayOnFinish()
                .build();
    }
}
