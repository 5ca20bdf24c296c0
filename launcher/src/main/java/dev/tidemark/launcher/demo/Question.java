package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One Query of the demonstration's table, as it goes to the server and as the AWS command line says
 * it.
 *
 * @param title what is asked, in words
 * @param index the index that is read, or empty for the table
 * @param condition the key condition
 * @param values the values in it, by placeholder
 * @param newestFirst whether the index is read backwards
 * @param consistent whether everything acknowledged must be seen
 * @param limit how many items are wanted at most
 */
record Question(
        String title,
        Optional<String> index,
        String condition,
        Map<String, JsonNode> values,
        boolean newestFirst,
        boolean consistent,
        int limit) {

    Question {
        values = new TreeMap<>(values);
    }

    /**
     * What came back.
     *
     * @param items the first items
     * @param millis how long it took
     */
    record Answer(List<JsonNode> items, double millis) {}

    static JsonNode text(String value) {
        return Endpoint.JSON.createObjectNode().put("S", value);
    }

    static JsonNode number(long value) {
        return Endpoint.JSON.createObjectNode().put("N", Long.toString(value));
    }

    /** Asks. */
    Answer ask(Endpoint server) {
        long begun = System.nanoTime();
        JsonNode reply = server.call("Query", request().put("Limit", limit));
        double millis = (System.nanoTime() - begun) / 1e6;
        List<JsonNode> items = new ArrayList<>();
        reply.path("Items").forEach(items::add);
        return new Answer(items, millis);
    }

    /** Returns how many items meet the condition in all. */
    long count(Endpoint server) {
        ObjectNode request = request().put("Select", "COUNT");
        long count = 0;
        boolean more = true;
        while (more) {
            JsonNode page = server.call("Query", request);
            count += page.path("Count").asLong();
            JsonNode last = page.path("LastEvaluatedKey");
            more = !last.isMissingNode();
            if (more) {
                request.set("ExclusiveStartKey", last);
            }
        }
        return count;
    }

    private ObjectNode request() {
        ObjectNode request = Endpoint.JSON.createObjectNode();
        request.put("TableName", ReadingsTable.NAME);
        index.ifPresent(name -> request.put("IndexName", name));
        request.put("KeyConditionExpression", condition);
        ObjectNode bound = request.putObject("ExpressionAttributeValues");
        values.forEach(bound::set);
        request.put("ScanIndexForward", !newestFirst);
        if (consistent) {
            request.put("ConsistentRead", true);
        }
        return request;
    }

    /** Returns the condition with its values in place, to be read by people. */
    String readable() {
        String text = condition;
        for (Map.Entry<String, JsonNode> value : values.entrySet()) {
            Iterator<JsonNode> plain = value.getValue().elements();
            text = text.replace(value.getKey(), plain.next().asText());
        }
        return text;
    }

    /** Returns the line for a shell that asks the same of {@code server}. */
    String shellLine(String server) {
        StringBuilder line = new StringBuilder("aws dynamodb query --endpoint-url ").append(server);
        line.append(" --table-name ").append(ReadingsTable.NAME);
        index.ifPresent(name -> line.append(" --index-name ").append(name));
        ObjectNode bound = Endpoint.JSON.createObjectNode();
        values.forEach(bound::set);
        line.append(" \\\n    --key-condition-expression '").append(condition).append('\'');
        line.append(" \\\n    --expression-attribute-values '")
                .append(bound.toString().replace("'", "'\\''"))
                .append('\'');
        if (newestFirst) {
            line.append(" --no-scan-index-forward");
        }
        if (consistent) {
            line.append(" --consistent-read");
        }
        return line.append(String.format(Locale.ROOT, " --max-items %d", limit)).toString();
    }
}
