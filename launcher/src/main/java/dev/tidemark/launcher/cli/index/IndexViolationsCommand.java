package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the items that have no place in an index although they have its key attributes. */
@Command(
        name = "violations",
        description = {
            "Prints the items that have an index's key attributes and yet no place in it, because a value has the wrong",
            "type, is empty or too long. An item that is mended or deleted leaves the list. While the index is being",
            "built, or its next generation is, it tells of that."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there are none",
            "1:there are some, or the server can't tell",
            "2:the arguments are wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark index violations SensorReadings byBuilding",
            "  tidemark index violations SensorReadings byBuilding --json | jq -c '.Violations[].Key'"
        })
final class IndexViolationsCommand implements Callable<Integer> {

    private static final String OPERATION = "Tidemark.ListIndexViolations";
    private static final String LINE = "%-40s %-20s %-10s %-24s  %s%n";

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
            description = "of this generation of the index, as index status shows it")
    private int generation;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Endpoint server = options.server();
        ObjectNode request =
                Endpoint.JSON.createObjectNode().put("TableName", table).put("IndexName", index);
        if (generation != 0) {
            request.put("Generation", generation);
        }
        int count = 0;
        while (true) {
            JsonNode page = server.call(OPERATION, request);
            if (options.json()) {
                out.println(page);
            } else {
                print(page, count == 0, out);
            }
            out.flush();
            count += page.path("Count").asInt();
            JsonNode last = page.path("LastEvaluatedKey");
            if (last.isMissingNode()) {
                end(page, count, out);
                return count == 0 ? Exit.OK : Exit.FAILED;
            }
            request.set("ExclusiveStartKey", last);
            // the pages after the first tell of the same generation, whatever happens meanwhile
            request.set("Generation", page.path("Generation"));
        }
    }

    private static void print(JsonNode page, boolean isFirst, PrintWriter out) {
        if (isFirst && page.path("Count").asInt() > 0) {
            out.printf(Locale.ROOT, LINE, "KEY", "ATTRIBUTE", "VIOLATION", "SINCE", "REASON");
        }
        for (JsonNode violation : page.path("Violations")) {
            out.printf(
                    Locale.ROOT,
                    LINE,
                    violation.path("Key"),
                    violation.path("AttributeName").asText(),
                    violation.path("Violation").asText(),
                    violation.path("Time").asText(),
                    violation.path("Reason").asText());
        }
    }

    private void end(JsonNode page, int count, PrintWriter out) {
        if (!options.json()) {
            out.printf(
                    Locale.ROOT,
                    "%d item%s of %s %s no place in %s (generation %d).%n",
                    count,
                    count == 1 ? "" : "s",
                    table,
                    count == 1 ? "has" : "have",
                    index,
                    page.path("Generation").asInt());
            out.flush();
        }
        if (!page.path("Complete").asBoolean(true)) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(
                    "A version that listed no violations has built a part of this index: older ones may be"
                            + " missing. To list all, rebuild it: tidemark index rebuild "
                            + table
                            + " "
                            + index);
            err.flush();
        }
    }
}
