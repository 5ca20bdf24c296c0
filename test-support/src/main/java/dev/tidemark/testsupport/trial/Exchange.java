package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.Item;
import dev.tidemark.testsupport.reference.Capacity;
import dev.tidemark.testsupport.reference.IndexShape;
import dev.tidemark.testsupport.reference.Refusal;
import dev.tidemark.testsupport.reference.TableShape;
import dev.tidemark.testsupport.reference.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** One requester's conversation with the server. Not thread-safe. */
final class Exchange {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FAILURE = 500;

    private final Service service;
    private final String origin;
    private final ItemJson items;
    private long requests;

    /**
     * Begins a conversation.
     *
     * @param origin where requests come from, the seed among it
     * @param random for what requests leave to taste
     */
    Exchange(Service service, String origin, Random random) {
        this.service = service;
        this.origin = origin;
        this.items = new ItemJson(random);
    }

    /** Returns how many requests were answered as expected. */
    long requests() {
        return requests;
    }

    ItemJson items() {
        return items;
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Adds the placeholders of a request's expressions. */
    void addPlaceholders(Wording wording, ObjectNode request) {
        addNames(wording, request);
        if (!wording.values().isEmpty()) {
            request.set("ExpressionAttributeValues", items.of(wording.values()));
        }
    }

    void addNames(Wording wording, ObjectNode request) {
        if (!wording.names().isEmpty()) {
            ObjectNode names = request.putObject("ExpressionAttributeNames");
            wording.names().forEach(names::put);
        }
    }

    /**
     * Sends a request that must be refused so. Once a write is in the log the server may fail to
     * tell its outcome; then there is nothing to compare.
     */
    void expectRefusal(String operation, ObjectNode request, Refusal expected) {
        Answer answer = send(operation, request);
        if (answer.isInDoubt()) {
            return;
        }
        String type = answer.json().path("__type").asText();
        String text = answer.json().path("message").asText();
        answer.requireThat(
                answer.status() == BAD_REQUEST && type.endsWith("#" + expected.error()),
                "Expected " + expected.error() + " " + expected.text());
        answer.requireThat(
                text.contains(expected.text()), "Expected to be told " + expected.text());
        boolean shows =
                request.path("ReturnValuesOnConditionCheckFailure").asText().equals("ALL_OLD");
        answer.requireItem("Item", shows ? expected.item() : Optional.empty());
    }

    /** Sends a request that must be answered. */
    Answer expectAnswer(String operation, ObjectNode request) {
        Answer answer = send(operation, request);
        answer.requireThat(answer.status() == OK, "Expected an answer");
        return answer;
    }

    /** Sends a write that must be answered, unless it is not known what became of it. */
    Answer expectAnswerOrDoubt(String operation, ObjectNode request) {
        Answer answer = send(operation, request);
        answer.requireThat(answer.status() == OK || answer.isInDoubt(), "Expected an answer");
        return answer;
    }

    private Answer send(String operation, ObjectNode request) {
        requests++;
        String body = request.toString();
        Service.Reply reply = service.call(operation, body);
        try {
            return new Answer(operation, body, reply, JSON.readTree(reply.body()));
        } catch (JsonProcessingException e) {
            throw disagreement("Expected JSON", operation, body, reply);
        }
    }

    private Disagreement disagreement(
            String what, String operation, String request, Service.Reply reply) {
        return new Disagreement(
                "request " + requests + " of " + origin,
                what,
                operation,
                request,
                reply.status() + " " + reply.body());
    }

    /** An answer, and what it must be. */
    final class Answer {

        private final String operation;
        private final String request;
        private final Service.Reply reply;
        private final JsonNode json;

        private Answer(String operation, String request, Service.Reply reply, JsonNode json) {
            this.operation = operation;
            this.request = request;
            this.reply = reply;
            this.json = json;
        }

        int status() {
            return reply.status();
        }

        /** Returns whether the server does not know what became of a write. */
        boolean isInDoubt() {
            return status() >= FAILURE;
        }

        JsonNode json() {
            return json;
        }

        void requireThat(boolean holds, String what) {
            if (!holds) {
                throw disagreement(what, operation, request, reply);
            }
        }

        void requireItem(String member, Optional<Item> expected) {
            Optional<Item> shown =
                    json.has(member) ? Optional.of(item(json.get(member))) : Optional.empty();
            requireThat(shown.equals(expected), "Expected " + member + " " + json(expected));
        }

        /** Returns the items of a member, which must be there. */
        List<Item> items(JsonNode array) {
            requireThat(array.isArray(), "Expected items");
            List<Item> found = new ArrayList<>();
            array.forEach(each -> found.add(item(each)));
            return found;
        }

        void requireItems(JsonNode array, List<Item> expected) {
            List<Item> found = items(array);
            for (int at = 0; at < Math.min(found.size(), expected.size()); at++) {
                requireThat(
                        found.get(at).equals(expected.get(at)),
                        "Expected at " + at + " " + json(Optional.of(expected.get(at))));
            }
            requireThat(found.size() == expected.size(), "Expected " + expected.size() + " items");
        }

        void requireNumber(String member, int expected) {
            requireThat(
                    json.path(member).asInt(-1) == expected, "Expected " + member + " " + expected);
        }

        /** Requires the units of one table, if {@code detail} asks for any. */
        void requireCapacity(
                JsonNode use, Optional<String> detail, TableShape table, Capacity expected) {
            if (detail.isEmpty()) {
                requireThat(use.isMissingNode(), "Expected no capacity");
                return;
            }
            TreeMap<String, Double> indexes = new TreeMap<>();
            for (IndexShape index : table.indexes()) {
                String kind = index.isGlobal() ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes";
                JsonNode units = use.path(kind).path(index.name()).path("CapacityUnits");
                if (!units.isMissingNode()) {
                    indexes.put(index.name(), units.asDouble());
                }
            }
            boolean inDetail = detail.get().equals("INDEXES");
            requireThat(
                    use.path("TableName").asText().equals(table.name())
                            && use.path("CapacityUnits").asDouble(-1) == expected.total()
                            && (!inDetail
                                    || (indexes.equals(expected.indexes())
                                            && use.path("Table").path("CapacityUnits").asDouble(-1)
                                                    == expected.table())),
                    "Expected capacity " + expected.total() + " of which " + expected);
        }

        Item item(JsonNode shown) {
            try {
                return ItemJson.item(shown);
            } catch (IllegalArgumentException e) {
                throw disagreement(String.valueOf(e.getMessage()), operation, request, reply);
            }
        }

        private String json(Optional<Item> item) {
            return item.map(each -> items.of(each).toString()).orElse("none");
        }
    }
}
