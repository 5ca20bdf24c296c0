package dev.tidemark.launcher.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.LagReading;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints how far indexes trail their tables. */
@Command(
        name = "lag",
        description = {
            "Prints how far every global index trails its table: changes not yet applied, and the age of the oldest.",
            "Local indexes are as fresh as their table and are not listed."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark lag",
            "  tidemark lag SensorReadings --watch",
            "  tidemark lag SensorReadings --partitions",
            "  tidemark lag --json --endpoint http://127.0.0.1:8001"
        })
final class LagCommand implements Callable<Integer> {

    private static final String LINE = "%-28s %-24s %-10s %12s %12s%n";
    private static final long WATCH_MILLIS = 1_000;

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "TABLE", arity = "0..1", description = "only this table")
    private String table = "";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8000",
            description = "the server (default: ${DEFAULT-VALUE})")
    private URI endpoint = URI.create("http://127.0.0.1:8000");

    @Option(names = "--watch", description = "print again every second until interrupted")
    private boolean watch;

    @Option(
            names = "--partitions",
            description = "print the lag behind each partition of the table, too")
    private boolean partitions;

    @Option(names = "--json", description = "print JSON, one document each time")
    private boolean json;

    @Override
    public Integer call() {
        Endpoint server = new Endpoint(endpoint);
        boolean found = print(server);
        while (watch && found) {
            try {
                Thread.sleep(WATCH_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return RootCommand.OK;
            }
            found = print(server);
        }
        return found ? RootCommand.OK : RootCommand.USAGE;
    }

    private boolean print(Endpoint server) {
        JsonNode all = LagReading.document(server);
        PrintWriter out = spec.commandLine().getOut();
        if (table.isEmpty()) {
            if (json) {
                out.println(all);
            } else {
                header(out);
                all.path("tables").forEach(described -> printTable(out, described));
            }
            out.flush();
            return true;
        }
        for (JsonNode described : all.path("tables")) {
            if (described.path("table").asText().equals(table)) {
                if (json) {
                    out.println(described);
                } else {
                    header(out);
                    printTable(out, described);
                }
                out.flush();
                return true;
            }
        }
        spec.commandLine().getErr().println("tidemark: there is no table " + table);
        spec.commandLine().getErr().flush();
        return false;
    }

    private static void header(PrintWriter out) {
        out.printf(Locale.ROOT, LINE, "TABLE", "INDEX", "STATUS", "CHANGES", "AGE");
    }

    private void printTable(PrintWriter out, JsonNode described) {
        for (LagReading lag : LagReading.ofTable(described)) {
            printLine(out, lag);
            if (partitions) {
                LagReading.ofPartitions(described, lag.index())
                        .forEach(part -> printLine(out, part));
            }
        }
    }

    private static void printLine(PrintWriter out, LagReading lag) {
        out.printf(
                Locale.ROOT,
                LINE,
                lag.table(),
                lag.index(),
                lag.status(),
                lag.changesText(),
                lag.ageText());
    }
}
