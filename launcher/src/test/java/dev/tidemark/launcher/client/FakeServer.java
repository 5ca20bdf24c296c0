package dev.tidemark.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A server in this process that keeps the items of one table in memory and answers writes and scans
 * as DynamoDB does, except where a test tells it to fail; a Query finds nothing. Thread-safe.
 */
public final class FakeServer implements AutoCloseable {

    /** What the server answers. */
    public record Reply(int status, JsonNode body) {

        public static Reply ok(JsonNode body) {
            return new Reply(200, body);
        }

        public static Reply error(int status, String type, String message) {
            return new Reply(
                    status,
                    Endpoint.JSON
                            .createObjectNode()
                            .put("__type", "com.amazonaws.dynamodb.v20120810#" + type)
                            .put("message", message));
        }
    }

    static {
        // else every reply waits for the acknowledgement of its headers
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final String table;
    private final List<String> key;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newFixedThreadPool(16);
    private final Map<JsonNode, JsonNode> items = new LinkedHashMap<>();
    private final Map<String, List<JsonNode>> entries = new HashMap<>();
    private final List<JsonNode> writes = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Deque<Function<JsonNode, Optional<Reply>>>> scripts = new HashMap<>();
    private Predicate<JsonNode> refused = item -> false;
    private Optional<ObjectNode> description = Optional.empty();
    private String lag = "{\"tables\":[]}";
    private int pageSize = Integer.MAX_VALUE;

    public FakeServer(String table, List<String> key) throws IOException {
        this.table = table;
        this.key = key;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::answer);
        http.start();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /**
     * Lets the next call of {@code operation} be answered by {@code script}, if it says anything.
     */
    public synchronized FakeServer next(
            String operation, Function<JsonNode, Optional<Reply>> script) {
        scripts.computeIfAbsent(operation, name -> new ArrayDeque<>()).add(script);
        return this;
    }

    /** Lets the next call of {@code operation} fail. */
    public FakeServer failNext(String operation, int status, String type) {
        return next(operation, body -> Optional.of(Reply.error(status, type, "as the test wants")));
    }

    public synchronized FakeServer refuse(Predicate<JsonNode> items) {
        refused = items;
        return this;
    }

    public synchronized FakeServer lag(String document) {
        lag = document;
        return this;
    }

    public synchronized FakeServer pageSize(int size) {
        pageSize = size;
        return this;
    }

    /** Sets what DescribeTable says besides the name and the key. */
    public synchronized FakeServer describe(String json) {
        try {
            description = Optional.of((ObjectNode) Endpoint.JSON.readTree(json));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
        return this;
    }

    public synchronized FakeServer put(JsonNode item) {
        items.put(keyOf(item), item);
        return this;
    }

    public synchronized FakeServer entry(String index, JsonNode entry) {
        entries.computeIfAbsent(index, name -> new ArrayList<>()).add(entry);
        return this;
    }

    public synchronized List<JsonNode> items() {
        return List.copyOf(items.values());
    }

    /** Returns every item written, in the order of writing. */
    public synchronized List<JsonNode> writes() {
        return List.copyOf(writes);
    }

    /** Returns the names of all operations called. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            Reply reply;
            if (exchange.getRequestMethod().equals("GET")) {
                synchronized (this) {
                    reply =
                            exchange.getRequestURI().getPath().equals("/lag") && !lag.isEmpty()
                                    ? Reply.ok(Endpoint.JSON.readTree(lag))
                                    : Reply.error(404, "NotFound", "no such page");
                }
            } else {
                String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
                reply =
                        operation(
                                target.substring(target.indexOf('.') + 1),
                                Endpoint.JSON.readTree(request));
            }
            byte[] body = reply.body().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private synchronized Reply operation(String name, JsonNode body) {
        calls.add(name);
        Function<JsonNode, Optional<Reply>> script =
                scripts.getOrDefault(name, new ArrayDeque<>()).poll();
        Optional<Reply> scripted = script == null ? Optional.empty() : script.apply(body);
        if (scripted.isPresent()) {
            return scripted.get();
        }
        if (!name.equals("BatchWriteItem") && !body.path("TableName").asText().equals(table)) {
            return Reply.error(400, "ResourceNotFoundException", "Requested resource not found");
        }
        return switch (name) {
            case "DescribeTable" -> Reply.ok(described());
            case "PutItem" -> putItem(body.path("Item"));
            case "BatchWriteItem" -> batch(body.path("RequestItems").path(table));
            case "Scan" -> scan(body);
            case "Query" -> Reply.ok(noItems());
            case "CreateTable", "UpdateTable" -> Reply.ok(Endpoint.JSON.createObjectNode());
            default -> Reply.error(400, "UnknownOperationException", name);
        };
    }

    private JsonNode described() {
        ObjectNode reply = Endpoint.JSON.createObjectNode();
        ObjectNode node = reply.putObject("Table");
        description.ifPresent(node::setAll);
        node.put("TableName", table).put("TableStatus", "ACTIVE");
        ArrayNode schema = node.putArray("KeySchema");
        key.forEach(attribute -> schema.addObject().put("AttributeName", attribute));
        return reply;
    }

    private Reply putItem(JsonNode item) {
        if (refused.test(item)) {
            return Reply.error(400, "ValidationException", "The test refuses it");
        }
        items.put(keyOf(item), item);
        writes.add(item);
        return Reply.ok(Endpoint.JSON.createObjectNode());
    }

    private Reply batch(JsonNode requests) {
        Set<JsonNode> keys = new HashSet<>();
        for (JsonNode request : requests) {
            JsonNode item = request.path("PutRequest").path("Item");
            if (refused.test(item)) {
                return Reply.error(400, "ValidationException", "The test refuses one of them");
            }
            if (!keys.add(keyOf(item))) {
                return Reply.error(
                        400,
                        "ValidationException",
                        "Provided list of item keys contains duplicates");
            }
        }
        requests.forEach(request -> putItem(request.path("PutRequest").path("Item")));
        return Reply.ok(unprocessed(List.of()));
    }

    /** Returns the reply of a batch that leaves {@code requests} undone. */
    public ObjectNode unprocessed(List<JsonNode> requests) {
        ObjectNode reply = Endpoint.JSON.createObjectNode();
        ObjectNode left = reply.putObject("UnprocessedItems");
        if (!requests.isEmpty()) {
            left.putArray(table).addAll(requests);
        }
        return reply;
    }

    private static ObjectNode noItems() {
        ObjectNode reply = Endpoint.JSON.createObjectNode().put("Count", 0).put("ScannedCount", 0);
        reply.putArray("Items");
        return reply;
    }

    private Reply scan(JsonNode body) {
        List<JsonNode> all =
                body.has("IndexName")
                        ? entries.getOrDefault(body.path("IndexName").asText(), List.of())
                        : List.copyOf(items.values());
        int from = body.path("ExclusiveStartKey").path("at").path("N").asInt(0);
        int to = Math.min(all.size(), from + Math.min(pageSize, all.size()));
        ObjectNode reply = Endpoint.JSON.createObjectNode();
        reply.putArray("Items").addAll(all.subList(from, to));
        if (to < all.size()) {
            reply.putObject("LastEvaluatedKey").putObject("at").put("N", Integer.toString(to));
        }
        return Reply.ok(reply);
    }

    private JsonNode keyOf(JsonNode item) {
        ObjectNode node = Endpoint.JSON.createObjectNode();
        key.forEach(attribute -> node.set(attribute, item.path(attribute)));
        return node;
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
