package dev.tidemark.launcher.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.model.index.IndexLag;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How far one global index trails its table, as a server tells it.
 *
 * @param status CREATING, ACTIVE or DELETING
 * @param lag how far it trails, or empty while the server does not know
 */
public record LagReading(String table, String index, String status, Optional<IndexLag> lag) {

    private static final String PATH = "/lag";
    private static final int OK = 200;
    private static final String UNKNOWN = "unknown";
    private static final long SECONDS_FROM_MILLIS = 10_000;

    /**
     * Returns the server's whole answer.
     *
     * @throws EndpointException if it can't be asked or does not know lag
     */
    public static JsonNode document(Endpoint server) {
        HttpResponse<String> reply = server.get(PATH);
        if (reply.statusCode() != OK) {
            throw new EndpointException(
                    "UnreadableReply",
                    server.uri()
                            + " answers "
                            + reply.statusCode()
                            + " to "
                            + PATH
                            + ": is it a Tidemark?",
                    false);
        }
        try {
            return Endpoint.JSON.readTree(reply.body());
        } catch (JsonProcessingException e) {
            throw new EndpointException(
                    "UnreadableReply",
                    server.uri() + " answers no JSON to " + PATH + ": is it a Tidemark?",
                    false);
        }
    }

    /**
     * Returns what the server says of every global index.
     *
     * @throws EndpointException if it can't be asked or does not know lag
     */
    public static List<LagReading> all(Endpoint server) {
        List<LagReading> readings = new ArrayList<>();
        for (JsonNode table : document(server).path("tables")) {
            readings.addAll(ofTable(table));
        }
        return readings;
    }

    /** Returns the readings in the part of a server's answer that tells of one table. */
    public static List<LagReading> ofTable(JsonNode table) {
        List<LagReading> readings = new ArrayList<>();
        for (JsonNode index : table.path("indexes")) {
            readings.add(
                    new LagReading(
                            table.path("table").asText(),
                            index.path("index").asText(),
                            index.path("status").asText(),
                            lagOf(index)));
        }
        return readings;
    }

    /**
     * Returns how far an index trails each partition of its table, from the part of a server's
     * answer that tells of the table; none if that is not known.
     */
    public static List<LagReading> ofPartitions(JsonNode table, String name) {
        List<LagReading> readings = new ArrayList<>();
        for (JsonNode index : table.path("indexes")) {
            if (index.path("index").asText().equals(name)) {
                index.path("partitions")
                        .forEach(
                                part ->
                                        readings.add(
                                                new LagReading(
                                                        "",
                                                        "  partition "
                                                                + part.path("partition").asText(),
                                                        "",
                                                        lagOf(part))));
            }
        }
        return readings;
    }

    private static Optional<IndexLag> lagOf(JsonNode index) {
        JsonNode changes = index.path("changes");
        JsonNode age = index.path("ageMillis");
        return changes.isMissingNode() || age.isMissingNode()
                ? Optional.empty()
                : Optional.of(new IndexLag(changes.asLong(), Duration.ofMillis(age.asLong())));
    }

    /** Returns the number of changes, for people. */
    public String changesText() {
        return lag.map(known -> String.format(Locale.ROOT, "%,d", known.changes())).orElse(UNKNOWN);
    }

    /** Returns the age with its unit, for people. */
    public String ageText() {
        return lag.map(known -> text(known.age().toMillis())).orElse(UNKNOWN);
    }

    private static String text(long millis) {
        return millis < SECONDS_FROM_MILLIS
                ? String.format(Locale.ROOT, "%,d ms", millis)
                : String.format(Locale.ROOT, "%,.1f s", millis / 1e3);
    }
}
