package dev.tidemark.launcher.cli;

import dev.tidemark.launcher.cli.index.IndexCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code tidemark} does with its arguments. */
@Command(
        name = "tidemark",
        description =
                "A table store that speaks DynamoDB's protocol and keeps its indexes from a Kafka log.",
        subcommands = {
            ServeCommand.class,
            DemoCommand.class,
            ImportCommand.class,
            LagCommand.class,
            IndexCommand.class,
            VersionCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark demo                    see it work, then try the commands it prints",
            "  tidemark serve                   a server on port 8000, its data in ./tidemark-data",
            "  tidemark import readings.csv --table Readings --create --key sensor,timestamp",
            "  tidemark lag --watch             how far every index trails its table",
            "  tidemark COMMAND --help          more about a command"
        })
public final class RootCommand implements Runnable {

    /** Everything went well. */
    static final int OK = 0;

    /** The command did its work, and part of it failed. */
    static final int FAILED = 1;

    /** The arguments or settings are wrong, or there is nothing to work with. */
    static final int USAGE = 2;

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    /** Runs the command that {@code arguments} name and returns the exit code. */
    public static int run(String[] arguments) {
        return commandLine().execute(arguments);
    }

    /** Runs a command whose output goes elsewhere. */
    public static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return commandLine().setOut(out).setErr(err).execute(arguments);
    }

    private static CommandLine commandLine() {
        CommandLine line = new CommandLine(new RootCommand());
        line.setExecutionExceptionHandler(new FailureReport());
        line.setUsageHelpAutoWidth(true);
        return line;
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        spec.commandLine().usage(out);
    }
}
