package dev.tidemark.launcher.cli.index;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about global indexes. */
@Command(
        name = "index",
        description = "Watches, checks, mends and changes global indexes.",
        subcommands = {
            IndexStatusCommand.class,
            IndexViolationsCommand.class,
            IndexVerifyCommand.class,
            IndexRepairCommand.class,
            IndexBackfillCommands.Pause.class,
            IndexBackfillCommands.Resume.class,
            IndexBackfillCommands.Limit.class,
            IndexGenerationCommands.Alter.class,
            IndexGenerationCommands.Rebuild.class,
            IndexGenerationCommands.Switch.class,
            IndexGenerationCommands.RollBack.class,
            IndexGenerationCommands.Discard.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = "  tidemark index COMMAND --help    more about a command")
public final class IndexCommand implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
