package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/** Has a server compare an index with its table, waits for the result and prints it. */
final class VerificationRun {

    private static final String LINE = "%9s %14s %12s %-32s %12s %-32s %8s %8s %9s%n";
    private static final String DIFFERENCE = "%-10s %-40s %s%n";
    private static final long FIRST_POLL_MILLIS = 50;
    private static final long LAST_POLL_MILLIS = 1_000;

    private final Endpoint server;
    private final String table;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;

    VerificationRun(Endpoint server, String table, CommandLine commandLine, boolean json) {
        this.server = server;
        this.table = table;
        this.out = commandLine.getOut();
        this.err = commandLine.getErr();
        this.json = json;
    }

    /** Returns the names of the table's indexes. */
    List<String> indexes() {
        List<String> names = new ArrayList<>();
        server.call("DescribeTable", Endpoint.JSON.createObjectNode().put("TableName", table))
                .path("Table")
                .path("GlobalSecondaryIndexes")
                .forEach(each -> names.add(each.path("IndexName").asText()));
        if (names.isEmpty() && !json) {
            out.println(table + " has no global index.");
            out.flush();
        }
        return names;
    }

    /**
     * Compares one index, and prints what was found.
     *
     * @param generation the generation, or 0 for the one that serves
     * @return whether it equals its table in the end
     */
    boolean run(String index, int generation, boolean repairs) {
        ObjectNode request =
                Endpoint.JSON
                        .createObjectNode()
                        .put("TableName", table)
                        .put("IndexName", index)
                        .put("Repair", repairs);
        if (generation != 0) {
            request.put("Generation", generation);
        }
        JsonNode result = finished(server.call("Tidemark.VerifyIndex", request));
        if (json) {
            out.println(result);
        } else {
            print(result);
        }
        out.flush();
        err.flush();
        return result.path("Equal").asBoolean();
    }

    private JsonNode finished(JsonNode started) {
        JsonNode state = started;
        ObjectNode ask = Endpoint.JSON.createObjectNode().put("TableName", table);
        ask.set("VerificationId", started.path("VerificationId"));
        long pause = FIRST_POLL_MILLIS;
        while (!isOver(state)) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return state;
            }
            pause = Math.min(LAST_POLL_MILLIS, pause * 2);
            state = server.call("Tidemark.DescribeIndexVerification", ask);
        }
        return state;
    }

    private static boolean isOver(JsonNode state) {
        String status = state.path("Status").asText();
        return status.equals("FINISHED") || status.equals("FAILED");
    }

    private void print(JsonNode result) {
        String name =
                table
                        + " "
                        + result.path("IndexName").asText()
                        + " (generation "
                        + result.path("Generation").asInt()
                        + ")";
        if (result.has("FailureReason")) {
            err.println(name + " can't be compared: " + result.path("FailureReason").asText());
            return;
        }
        out.printf(
                Locale.ROOT,
                LINE,
                "PARTITION",
                "SEQUENCE",
                "EXPECTED",
                "DIGEST",
                "PRESENT",
                "DIGEST",
                "MISSING",
                "DANGLING",
                "DIFFERENT");
        result.path("Partitions").forEach(this::printPartition);
        JsonNode before = result.path("Before");
        if (!before.isMissingNode() && before.path("Differences").size() > 0) {
            printDifferences(before);
            out.printf(
                    Locale.ROOT,
                    "%s: was %s; %d mended.%n",
                    name,
                    counts(before),
                    result.path("Mended").asLong());
        }
        printDifferences(result);
        out.println(
                name
                        + (result.path("Equal").asBoolean()
                                ? " equals its table."
                                : ": " + counts(result) + "."));
        advise(result);
    }

    private void printPartition(JsonNode partition) {
        out.printf(
                Locale.ROOT,
                LINE,
                partition.path("Partition").asText(),
                partition.path("SequenceNumber").asText(),
                partition.path("Expected").path("Count").asText(),
                partition.path("Expected").path("Digest").asText(),
                partition.path("Present").path("Count").asText(),
                partition.path("Present").path("Digest").asText(),
                partition.path("Missing").asText(),
                partition.path("Dangling").asText(),
                partition.path("Different").asText());
    }

    private void printDifferences(JsonNode report) {
        JsonNode differences = report.path("Differences");
        if (differences.size() > 0) {
            out.printf(Locale.ROOT, DIFFERENCE, "KIND", "KEY", "INDEX KEY");
            for (JsonNode each : differences) {
                out.printf(
                        Locale.ROOT,
                        DIFFERENCE,
                        each.path("Kind").asText(),
                        each.has("Key") ? each.path("Key") : "(unreadable)",
                        each.has("IndexKey") ? each.path("IndexKey") : "");
            }
            long more = total(report) - differences.size();
            if (more > 0) {
                out.println("and " + more + " more");
            }
        }
    }

    private void advise(JsonNode result) {
        if (result.path("Unmendable").asLong() > 0) {
            err.println(
                    result.path("Unmendable").asLong()
                            + " of them lie where no change of the table reaches; rebuild the index: tidemark index rebuild "
                            + table
                            + " "
                            + result.path("IndexName").asText());
        }
        if (!result.path("Complete").asBoolean(true)) {
            err.println("More became wrong while it was compared: the list is not complete.");
        }
    }

    private static long total(JsonNode report) {
        return report.path("Missing").asLong()
                + report.path("Dangling").asLong()
                + report.path("Different").asLong();
    }

    private static String counts(JsonNode report) {
        return report.path("Missing").asLong()
                + " missing, "
                + report.path("Dangling").asLong()
                + " dangling, "
                + report.path("Different").asLong()
                + " different";
    }
}
