package dev.tidemark.launcher.life;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.faults.OneTry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Readers that query and scan an index over and over while it changes between {@link
 * Living.Shape#BY_A} and {@link Living.Shape#BY_A_KEYS_ONLY}. What it holds never changes, so every
 * answer must hold all of it, alike.
 */
final class SwitchReaders implements AutoCloseable {

    private static final int ITEMS = 60;
    private static final int PAGE = 25;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int MORE = 10;

    private final String index;
    private final OneTry client = new OneTry();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Map<String, List<String>> shapes = new ConcurrentHashMap<>();
    private final Map<String, Integer> rounds = new ConcurrentHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger passing = new AtomicInteger();
    private volatile boolean stopped;

    private SwitchReaders(String index) {
        this.index = index;
    }

    /** Puts what the readers must find. */
    static void put(Endpoint server) {
        for (int n = 0; n < ITEMS; n++) {
            ObjectNode item = Living.key("item-" + n);
            item.set("a", Living.text(n % 2 == 0 ? "even" : "odd"));
            item.set("d", Living.text("d-" + n));
            server.call("PutItem", Living.request(body -> body.set("Item", item)));
        }
    }

    /** Starts readers of every kind through every one of the servers. */
    static SwitchReaders start(List<URI> servers, String index) {
        SwitchReaders readers = new SwitchReaders(index);
        for (URI server : servers) {
            readers.launch("query at " + server, name -> readers.query(name, server));
            readers.launch("scan at " + server, name -> readers.scan(name, server));
            readers.launch("pages at " + server, name -> readers.pages(name, server));
        }
        return readers;
    }

    /** Returns how many requests were to be sent again. */
    int passing() {
        return passing.get();
    }

    /** Returns the answers that were refusals, or lacked something, or mixed two definitions. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Returns what each reader saw the index to be, repeats left out. */
    Map<String, List<String>> shapes() {
        return new TreeMap<>(shapes);
    }

    /** Waits until every reader has read some more times. */
    void awaitMore() {
        Map<String, Integer> before = Map.copyOf(rounds);
        await().atMost(SOON)
                .until(
                        () ->
                                rounds.size() == threads.size()
                                        && rounds.entrySet().stream()
                                                .allMatch(
                                                        one ->
                                                                one.getValue()
                                                                        >= before.getOrDefault(
                                                                                        one
                                                                                                .getKey(),
                                                                                        0)
                                                                                + MORE));
    }

    void stop() {
        stopped = true;
        await().atMost(SOON).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
    }

    @Override
    public String toString() {
        return passing + " to be asked again; readings: " + new TreeMap<>(rounds);
    }

    private interface Reader {
        void read(String name);
    }

    private void launch(String name, Reader reader) {
        Thread thread =
                new Thread(
                        () -> {
                            while (!stopped) {
                                reader.read(name);
                                rounds.merge(name, 1, Integer::sum);
                            }
                        },
                        name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void query(String name, URI server) {
        ObjectNode query = Living.named(index).put("KeyConditionExpression", "a = :a");
        query.putObject("ExpressionAttributeValues").set(":a", Living.text("even"));
        OneTry.Answer answer = client.call(server, "Query", query);
        if (takes(name, answer)) {
            complete(name, answer.body().path("Items"), ITEMS / 2);
        }
    }

    private void scan(String name, URI server) {
        OneTry.Answer answer = client.call(server, "Scan", Living.named(index));
        if (takes(name, answer)) {
            complete(name, answer.body().path("Items"), ITEMS);
        }
    }

    /** Reads the index in pages, between which it may change, but what there is to find may not. */
    private void pages(String name, URI server) {
        ObjectNode scan = Living.named(index).put("Limit", PAGE);
        List<JsonNode> found = new ArrayList<>();
        boolean more = true;
        while (more) {
            OneTry.Answer answer = client.call(server, "Scan", scan);
            if (!takes(name, answer)) {
                return;
            }
            answer.body().path("Items").forEach(found::add);
            more = answer.body().has("LastEvaluatedKey");
            scan.set("ExclusiveStartKey", answer.body().path("LastEvaluatedKey"));
        }
        allThere(name, found, ITEMS);
    }

    /** Notes of which definition an answer is; returns whether it is one. */
    private boolean takes(String name, OneTry.Answer answer) {
        if (!answer.isOk()) {
            if (answer.mayPass()) {
                passing.incrementAndGet();
            } else {
                wrong.add(name + " was answered " + answer);
            }
            return false;
        }
        Set<String> seen = new TreeSet<>();
        answer.body()
                .path("Items")
                .forEach(
                        item -> {
                            boolean whole = item.has("d");
                            seen.add(whole ? "ALL" : "KEYS_ONLY");
                            if (!item.has("pk")
                                    || !item.has("a")
                                    || item.size() != (whole ? 3 : 2)) {
                                wrong.add(name + " holds " + item);
                            }
                        });
        if (seen.size() > 1) {
            wrong.add(name + " mixes " + answer.body());
        }
        List<String> before = shapes.computeIfAbsent(name, reader -> new CopyOnWriteArrayList<>());
        seen.stream()
                .filter(shape -> before.isEmpty() || !before.get(before.size() - 1).equals(shape))
                .forEach(before::add);
        return true;
    }

    private void complete(String name, JsonNode items, int count) {
        List<JsonNode> found = new ArrayList<>();
        items.forEach(found::add);
        allThere(name, found, count);
    }

    private void allThere(String name, List<JsonNode> found, int count) {
        Set<String> ids = new HashSet<>();
        found.forEach(item -> ids.add(item.at("/pk/S").asText()));
        if (found.size() != count || ids.size() != count) {
            wrong.add(name + " has " + found.size() + " entries, of " + ids.size() + " items");
        }
    }
}
