package dev.tidemark.launcher.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpResponse;
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
            "  tidemark lag --json --endpoint http://127.0.0.1:8001"
        })
final class LagCommand implements Callable<Integer> {

    private static final String HEADER = "%-28s %-24s %-10s %12s %12s%n";
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

    @Option(names = "--json", description = "print JSON, one document each time")
    private boolean json;

    @Override
    public Integer call() throws IOException {
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

    private boolean print(Endpoint server) throws IOException {
        HttpResponse<String> reply = server.get("/lag");
        if (reply.statusCode() != 200) {
            throw new IOException(
                    endpoint + " answers " + reply.statusCode() + " to /lag: is it a Tidemark?");
        }
        JsonNode tables = Endpoint.JSON.readTree(reply.body()).path("tables");
        PrintWriter out = spec.commandLine().getOut();
        if (!json) {
            out.printf(Locale.ROOT, HEADER, "TABLE", "INDEX", "STATUS", "CHANGES", "AGE");
        }
        boolean found = table.isEmpty();
        for (JsonNode described : tables) {
            if (!table.isEmpty() && !described.path("table").asText().equals(table)) {
                continue;
            }
            found = true;
            if (json) {
                out.println(described);
            } else {
                printTable(out, described);
            }
        }
        out.flush();
        if (!found) {
            spec.commandLine().getErr().println("tidemark: there is no table " + table);
        }
        return found;
    }

    private static void printTable(PrintWriter out, JsonNode described) {
        for (JsonNode index : described.path("indexes")) {
            out.printf(
                    Locale.ROOT,
                    HEADER,
                    described.path("table").asText(),
                    index.path("index").asText(),
                    index.path("status").asText(),
                    String.format(Locale.ROOT, "%,d", index.path("changes").asLong()),
                    age(index.path("ageMillis").asLong()));
        }
    }

    private static String age(long millis) {
        return millis < 10_000
                ? String.format(Locale.ROOT, "%,d ms", millis)
                : String.format(Locale.ROOT, "%,.1f s", millis / 1e3);
    }
}
