package dev.tidemark.launcher.cli.index;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mends what is wrong in a global index, and that alone. */
@Command(
        name = "repair",
        description = {
            "Compares a global index with its table as 'index verify' does, mends the entries that are wrong, and those alone,",
            "through the table's log, and compares again. Reads and writes go on. An index of which much is wrong is sooner",
            "built anew: 'index rebuild'."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the index equals its table now",
            "1:it does not, or can't be compared",
            "2:the arguments are wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = "  tidemark index repair SensorReadings byBuilding")
final class IndexRepairCommand implements Callable<Integer> {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Mixin private ServerOptions options = new ServerOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "the table")
    private String table = "";

    @Parameters(index = "1", paramLabel = "INDEX", description = "its global index")
    private String index = "";

    @Option(
            names = "--generation",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "this generation of the index, as index status shows it")
    private int generation;

    @Override
    public Integer call() {
        VerificationRun run =
                new VerificationRun(options.server(), table, spec.commandLine(), options.json());
        return run.run(index, generation, true) ? Exit.OK : Exit.FAILED;
    }
}
