package dev.tidemark.launcher.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.faults.OneTry;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writers that put, update, re-key and delete items of their own at random, and count together, and
 * know for every item what it may be: one thing if all that was sent was acknowledged, several
 * after a request whose end is unknown.
 */
final class HistoryLoad implements AutoCloseable {

    private static final int ITEMS = 24;
    private static final int COUNTERS = 4;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final long PAUSE_NANOS = 20_000_000;
    private static final String COUNTER = "counter-";

    private final Supplier<URI> server;
    private final OneTry client = new OneTry();
    private final Map<String, Set<Optional<ObjectNode>>> possible = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counted = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> uncertain = new ConcurrentHashMap<>();
    private final Map<String, Set<Integer>> told = new ConcurrentHashMap<>();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    private HistoryLoad(Supplier<URI> server) {
        this.server = server;
    }

    /** Starts writers; what each of them writes, one after the other, follows from the seed. */
    static HistoryLoad start(long seed, int writers, Supplier<URI> server) {
        HistoryLoad load = new HistoryLoad(server);
        for (int writer = 0; writer < writers; writer++) {
            String name = "writer-" + writer;
            Random random = new Random(seed * 31 + writer);
            Thread thread = new Thread(() -> load.write(name, random), name);
            thread.setDaemon(true);
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    /** Waits until so many more writes have been acknowledged. */
    void awaitWrites(int more) {
        int target = writes.get() + more;
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(
                        () -> {
                            assertThat(broken).isEmpty();
                            assertThat(writes.get()).isGreaterThanOrEqualTo(target);
                        });
    }

    int acknowledged() {
        return writes.get();
    }

    /** Stops the writers and waits for what they have under way. */
    void stop() {
        stopped = true;
        await().atMost(SOON).until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(broken).isEmpty();
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
    }

    /** Asserts that every item is what it may be, and each acknowledged count was taken once. */
    void verify(Endpoint endpoint) {
        Map<String, ObjectNode> found = new HashMap<>();
        ObjectNode scan = Living.request().put("ConsistentRead", true);
        boolean more = true;
        while (more) {
            JsonNode page = endpoint.call("Scan", scan);
            page.path("Items").forEach(one -> found.put(one.at("/pk/S").asText(), one.deepCopy()));
            more = page.has("LastEvaluatedKey");
            scan.set("ExclusiveStartKey", page.path("LastEvaluatedKey"));
        }
        possible.forEach(
                (id, states) ->
                        assertThat(states).as(id).contains(Optional.ofNullable(found.get(id))));
        assertThat(found.keySet())
                .allSatisfy(
                        id ->
                                assertThat(possible.containsKey(id) || counted.containsKey(id))
                                        .isTrue());
        counted.forEach(
                (counter, count) -> {
                    ObjectNode item = found.get(counter);
                    int value = item == null ? 0 : item.at("/n/N").asInt();
                    assertThat(value)
                            .as(counter)
                            .isBetween(count.get(), count.get() + uncertain.get(counter).get());
                });
    }

    private void write(String writer, Random random) {
        while (!stopped) {
            String id = writer + "-" + random.nextInt(ITEMS);
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> put(id, random);
                case 3, 4 -> rekey(id, random);
                case 5 -> unkey(id, random);
                case 6, 7 -> delete(id);
                default -> count(COUNTER + random.nextInt(COUNTERS), random);
            }
        }
    }

    private void put(String id, Random random) {
        ObjectNode item = Living.key(id);
        if (random.nextInt(4) > 0) {
            item.set("a", Living.text("a-" + random.nextInt(5)));
        }
        if (random.nextInt(3) > 0) {
            item.set("b", Living.number(random.nextInt(9) - 4));
        }
        if (random.nextInt(3) > 0) {
            item.set("c", Living.text("c-" + random.nextInt(3)));
        }
        if (random.nextInt(3) == 0) {
            item.set("n", Living.number(random.nextInt(4)));
        }
        item.set("d", Living.text("d".repeat(random.nextInt(60)) + random.nextInt()));
        apply(
                id,
                "PutItem",
                Living.request(body -> body.set("Item", item)),
                before -> Optional.of(item));
    }

    /** Moves an item to another place in indexes. */
    private void rekey(String id, Random random) {
        ObjectNode a = Living.text("a-" + random.nextInt(5));
        ObjectNode b = Living.number(random.nextInt(9) - 4);
        ObjectNode request = updating(id, "SET a = :a, b = :b");
        request.putObject("ExpressionAttributeValues").<ObjectNode>set(":a", a).set(":b", b);
        apply(
                id,
                "UpdateItem",
                request,
                before -> changed(id, before, item -> item.<ObjectNode>set("a", a).set("b", b)));
    }

    /** Takes an item out of indexes; one that is not there stays so. */
    private void unkey(String id, Random random) {
        String name = random.nextBoolean() ? "a" : "c";
        apply(
                id,
                "UpdateItem",
                updating(id, "REMOVE " + name),
                before -> before.map(item -> item.deepCopy().without(name)));
    }

    private void delete(String id) {
        apply(
                id,
                "DeleteItem",
                Living.request(body -> body.set("Key", Living.key(id))),
                before -> Optional.empty());
    }

    private void count(String counter, Random random) {
        AtomicInteger known = counted.computeIfAbsent(counter, name -> new AtomicInteger());
        AtomicInteger other = uncertain.computeIfAbsent(counter, name -> new AtomicInteger());
        ObjectNode request =
                updating(counter, "ADD n :one SET c = :c").put("ReturnValues", "ALL_NEW");
        request.putObject("ExpressionAttributeValues")
                .<ObjectNode>set(":one", Living.number(1))
                .set(":c", Living.text("c-" + random.nextInt(3)));
        OneTry.Answer answer = send("UpdateItem", request);
        if (!answer.isOk()) {
            other.incrementAndGet();
            return;
        }
        known.incrementAndGet();
        int value = answer.body().at("/Attributes/n/N").asInt();
        if (!told.computeIfAbsent(counter, name -> ConcurrentHashMap.newKeySet()).add(value)) {
            broken.add("the value " + value + " of " + counter + " was told twice");
        }
    }

    private interface Effect {
        Optional<ObjectNode> on(Optional<ObjectNode> before);
    }

    private void apply(String id, String operation, ObjectNode request, Effect effect) {
        Set<Optional<ObjectNode>> before = possible.getOrDefault(id, Set.of(Optional.empty()));
        Set<Optional<ObjectNode>> after = new HashSet<>();
        before.forEach(state -> after.add(effect.on(state)));
        if (!send(operation, request).isOk()) {
            after.addAll(before);
        }
        possible.put(id, after);
    }

    private OneTry.Answer send(String operation, ObjectNode body) {
        OneTry.Answer answer = client.call(server.get(), operation, body);
        if (answer.isOk()) {
            writes.incrementAndGet();
        } else if (answer.mayPass()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        } else if (!stopped) {
            broken.add(operation + " was answered " + answer);
        }
        return answer;
    }

    private static ObjectNode updating(String id, String expression) {
        ObjectNode request = Living.request().put("UpdateExpression", expression);
        request.set("Key", Living.key(id));
        return request;
    }

    private static Optional<ObjectNode> changed(
            String id, Optional<ObjectNode> before, UnaryOperator<ObjectNode> change) {
        return Optional.of(
                change.apply(before.map(ObjectNode::deepCopy).orElseGet(() -> Living.key(id))));
    }
}
