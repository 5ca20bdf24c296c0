package dev.tidemark.launcher.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far one global index trails its table, as a server tells it.
 *
 * @param status CREATING, ACTIVE or DELETING
 * @param changes how many changes of the table it has not applied
 * @param ageMillis how long ago the oldest of them happened, 0 if there is none
 */
public record LagReading(String table, String index, String status, long changes, long ageMillis) {

    private static final String PATH = "/lag";
    private static final int OK = 200;
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
                            index.path("changes").asLong(),
                            index.path("ageMillis").asLong()));
        }
        return readings;
    }

    /** Returns the age with its unit. */
    public String ageText() {
        return ageMillis < SECONDS_FROM_MILLIS
                ? String.format(Locale.ROOT, "%,d ms", ageMillis)
                : String.format(Locale.ROOT, "%,.1f s", ageMillis / 1e3);
    }
}
