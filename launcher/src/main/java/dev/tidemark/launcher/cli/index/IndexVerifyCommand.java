package dev.tidemark.launcher.cli.index;

import dev.tidemark.launcher.client.Endpoint;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares global indexes with their table. */
@Command(
        name = "verify",
        description = {
            "Compares a table's global indexes with the table at one position of its log, while writes go on.",
            "Prints for each partition of the table how many entries each index should have and has, with digests that are",
            "the same if and only if the entries are, and the entries that are missing, dangling (no item should have them)",
            "or different (they do not carry what their items have)."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every index equals its table",
            "1:one does not, or can't be compared",
            "2:the arguments are wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark index verify SensorReadings",
            "  tidemark index verify SensorReadings byBuilding",
            "  tidemark index verify SensorReadings byBuilding --json | jq -c '.Differences[]'"
        })
final class IndexVerifyCommand implements Callable<Integer> {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Mixin private ServerOptions options = new ServerOptions();

    @Parameters(index = "0", paramLabel = "TABLE", description = "the table")
    private String table = "";

    @Parameters(
            index = "1",
            paramLabel = "INDEX",
            arity = "0..1",
            description = "only this global index of it")
    private String index = "";

    @Option(
            names = "--generation",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "of this generation of the index, as index status shows it")
    private int generation;

    @Override
    public Integer call() {
        Endpoint server = options.server();
        if (index.isEmpty() && generation != 0) {
            throw new IllegalArgumentException("Invalid --generation: without an INDEX");
        }
        VerificationRun run =
                new VerificationRun(server, table, spec.commandLine(), options.json());
        List<String> indexes = index.isEmpty() ? run.indexes() : List.of(index);
        boolean isEqual = true;
        for (String each : indexes) {
            isEqual &= run.run(each, generation, false);
        }
        return isEqual ? Exit.OK : Exit.FAILED;
    }
}
