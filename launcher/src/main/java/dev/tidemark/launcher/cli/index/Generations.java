package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import picocli.CommandLine;

/** The generations of one index, or of all indexes of a table, as a server tells of them. */
final class Generations {

    static final String OPERATION = "Tidemark.DescribeIndexes";

    private static final String LINE = "%-20s %4s %-9s %-9s %8s %10s %10s %8s %10s %8s %7s  %s%n";
    private static final long POLL_MILLIS = 500;
    private static final int MINUTE = 60;
    private static final int HOUR = 3_600;

    private final Endpoint server;
    private final String table;
    private final String index;
    private final PrintWriter out;
    private final boolean json;

    /**
     * Makes a view.
     *
     * @param index the index, or nothing for all
     */
    Generations(
            Endpoint server, String table, String index, CommandLine commandLine, boolean json) {
        this.server = server;
        this.table = table;
        this.index = index;
        this.out = commandLine.getOut();
        this.json = json;
    }

    /** Asks the server. */
    JsonNode ask() {
        ObjectNode request = Endpoint.JSON.createObjectNode().put("TableName", table);
        if (!index.isEmpty()) {
            request.put("IndexName", index);
        }
        return server.call(OPERATION, request);
    }

    /** Prints an answer of the server: of the index alone if there is one. */
    void print(JsonNode answer) {
        if (json) {
            out.println(answer);
        } else {
            out.printf(
                    Locale.ROOT,
                    LINE,
                    "INDEX",
                    "GEN",
                    "PURPOSE",
                    "STATUS",
                    "FILLED",
                    "CHANGES/s",
                    "REMAINING",
                    "SKIPPED",
                    "ITEMS",
                    "LAG",
                    "LAG ms",
                    "KEY, PROJECTION");
            of(answer).forEach(this::printLine);
        }
        out.flush();
    }

    /**
     * Prints answers now and then until one holds.
     *
     * @return whether it came to that before the thread was interrupted
     */
    boolean watchUntil(Predicate<List<JsonNode>> isReached) {
        while (true) {
            JsonNode answer = ask();
            print(answer);
            if (isReached.test(of(answer))) {
                return true;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** Returns the generations in an answer that are asked for. */
    List<JsonNode> of(JsonNode answer) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode each : answer.path("Indexes")) {
            if (index.isEmpty() || each.path("IndexName").asText().equals(index)) {
                found.add(each);
            }
        }
        return found;
    }

    private void printLine(JsonNode generation) {
        JsonNode backfill = generation.path("Backfill");
        JsonNode lag = generation.path("Lag");
        out.printf(
                Locale.ROOT,
                LINE,
                generation.path("IndexName").asText(),
                generation.path("Generation").asText(),
                generation.path("Purpose").asText(),
                backfill.path("Paused").asBoolean()
                        ? "PAUSED"
                        : generation.path("IndexStatus").asText(),
                backfill.isMissingNode()
                        ? "-"
                        : String.format(
                                Locale.ROOT, "%.1f %%", backfill.path("Percent").asDouble()),
                backfill.isMissingNode()
                        ? "-"
                        : String.format(
                                Locale.ROOT, "%,.0f", backfill.path("ChangesPerSecond").asDouble()),
                remaining(backfill),
                generation.path("ItemsSkipped").asText("?"),
                generation.path("ItemsIndexed").asText("?"),
                lag.path("Changes").asText("?"),
                lag.path("Milliseconds").asText("?"),
                definition(generation));
    }

    private static String remaining(JsonNode backfill) {
        if (backfill.isMissingNode()) {
            return "-";
        }
        JsonNode seconds = backfill.path("SecondsRemaining");
        if (seconds.isMissingNode()) {
            return "?";
        }
        long whole = (long) Math.ceil(seconds.asDouble());
        return String.format(
                Locale.ROOT, "%d:%02d:%02d", whole / HOUR, whole / MINUTE % MINUTE, whole % MINUTE);
    }

    private static String definition(JsonNode generation) {
        List<String> hash = new ArrayList<>();
        List<String> range = new ArrayList<>();
        for (JsonNode element : generation.path("KeySchema")) {
            (element.path("KeyType").asText().equals("HASH") ? hash : range)
                    .add(element.path("AttributeName").asText());
        }
        List<String> carried = new ArrayList<>();
        generation
                .path("Projection")
                .path("NonKeyAttributes")
                .forEach(name -> carried.add(name.asText()));
        return String.join("+", hash)
                + (range.isEmpty() ? "" : "," + String.join("+", range))
                + ", "
                + generation.path("Projection").path("ProjectionType").asText()
                + (carried.isEmpty() ? "" : " " + String.join(",", carried));
    }
}
