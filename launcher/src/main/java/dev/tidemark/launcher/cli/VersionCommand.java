package dev.tidemark.launcher.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(
        name = "version",
        description = "Prints the version of Tidemark and of the Java it runs on.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  tidemark version")
final class VersionCommand implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        for (String line : new ProgramVersion().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
    }
}
