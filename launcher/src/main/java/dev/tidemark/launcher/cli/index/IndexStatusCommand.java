package dev.tidemark.launcher.cli.index;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints how far indexes are filled, and every generation of them. */
@Command(
        name = "status",
        description = {
            "Prints how far a table's global indexes are filled, and every generation of them.",
            "FILLED is how much is applied of what the table held when the index was added, REMAINING how long the rest will",
            "take, SKIPPED how many items have no place in the index although they have its key attributes."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark index status SensorReadings",
            "  tidemark index status SensorReadings byBuilding --watch",
            "  tidemark index status SensorReadings --json"
        })
final class IndexStatusCommand implements Callable<Integer> {

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

    @Option(names = "--watch", description = "print again until nothing is being filled")
    private boolean watch;

    @Override
    public Integer call() {
        Generations generations =
                new Generations(options.server(), table, index, spec.commandLine(), options.json());
        if (watch) {
            return generations.watchUntil(
                            all ->
                                    all.stream()
                                            .noneMatch(
                                                    each ->
                                                            each.path("IndexStatus")
                                                                    .asText()
                                                                    .equals("CREATING")))
                    ? Exit.OK
                    : Exit.FAILED;
        }
        generations.print(generations.ask());
        return Exit.OK;
    }
}
