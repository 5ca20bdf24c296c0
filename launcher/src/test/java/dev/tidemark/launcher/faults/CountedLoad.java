package dev.tidemark.launcher.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.LagReading;
import dev.tidemark.launcher.demo.IndexComparison;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Writers that put, delete and count, and remember of every request whether it was acknowledged, so
 * that afterwards the table can be held to it. A request with no answer, or with a fault, may have
 * been applied or not; one that was acknowledged was applied, once.
 */
public final class CountedLoad implements AutoCloseable {

    private static final int COUNTERS = 6;
    private static final Duration SETTLE = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = 20_000_000;

    /** What is known of an item by its writer, the only one it has. */
    private enum Known {
        THERE,
        GONE,
        EITHER
    }

    private final IntFunction<URI> servers;
    private final OneTry client = new OneTry();
    private final Map<String, Known> items = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> unknown = new ConcurrentHashMap<>();
    private final Map<String, Set<Integer>> told = new ConcurrentHashMap<>();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final String run;
    private volatile boolean stopped;

    private CountedLoad(String run, IntFunction<URI> servers) {
        this.run = run;
        this.servers = servers;
    }

    /**
     * Starts some writers.
     *
     * @param run tells these writers' items from those of other runs
     * @param servers gives the server for each number of a request
     */
    public static CountedLoad start(String run, int writers, IntFunction<URI> servers) {
        CountedLoad load = new CountedLoad(run, servers);
        for (int writer = 0; writer < writers; writer++) {
            int number = writer;
            Thread thread = new Thread(() -> load.write(number), "writer-" + number);
            thread.setDaemon(true);
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    /** Returns how many writes were acknowledged so far. */
    public int acknowledgedWrites() {
        return writes.get();
    }

    /** Waits until so many more writes have been acknowledged. */
    public void awaitWrites(int more) {
        int target = writes.get() + more;
        await().atMost(SETTLE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(
                        () -> {
                            assertThat(broken).isEmpty();
                            assertThat(writes.get()).isGreaterThanOrEqualTo(target);
                        });
    }

    /** Stops the writers and waits for what they have under way. */
    public void stop() {
        stopped = true;
        await().atMost(SETTLE).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
    }

    /** Asserts that the table holds what was acknowledged, and every index what the table does. */
    public void verify(Endpoint server) {
        assertThat(broken).isEmpty();
        Map<String, JsonNode> found = scan(server);
        List<String> lost = new ArrayList<>();
        List<String> risen = new ArrayList<>();
        items.forEach(
                (id, known) -> {
                    JsonNode item = found.get(id);
                    if (known == Known.THERE && item == null) {
                        lost.add(id);
                    } else if (known == Known.GONE && item != null) {
                        risen.add(id);
                    }
                    if (item != null) {
                        int at = id.lastIndexOf('/');
                        assertThat(item)
                                .isEqualTo(
                                        Measured.item(
                                                id.substring(0, at),
                                                Integer.parseInt(id.substring(at + 1))));
                    }
                });
        assertThat(lost).as("acknowledged puts that are not in the table").isEmpty();
        assertThat(risen).as("acknowledged deletes whose items are in the table").isEmpty();
        acknowledged.forEach(
                (counter, count) -> {
                    JsonNode item = found.get(counter + "/0");
                    int value = item == null ? 0 : item.path("count").path("N").asInt();
                    assertThat(value)
                            .as("counter %s, of %s unknown", counter, unknown.get(counter))
                            .isBetween(count.get(), count.get() + unknown.get(counter).get());
                });
        awaitNoLag(server);
        IndexComparison.Result result = new IndexComparison(server, Measured.TABLE).compare();
        assertThat(result.indexes()).hasSize(4);
        assertThat(result.agrees()).as(() -> result.toString()).isTrue();
    }

    /** Waits until every index of every table has caught up. */
    public static void awaitNoLag(Endpoint server) {
        await().atMost(SETTLE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () ->
                                assertThat(LagReading.all(server))
                                        .isNotEmpty()
                                        .allSatisfy(
                                                reading ->
                                                        assertThat(reading.lag())
                                                                .hasValueSatisfying(
                                                                        lag ->
                                                                                assertThat(
                                                                                                lag
                                                                                                        .changes())
                                                                                        .isZero())));
    }

    private static Map<String, JsonNode> scan(Endpoint server) {
        Map<String, JsonNode> found = new HashMap<>();
        ObjectNode request = Measured.request(body -> body.put("ConsistentRead", true));
        while (true) {
            JsonNode page = server.call("Scan", request);
            for (JsonNode item : page.path("Items")) {
                String id = id(item);
                assertThat(found.put(id, item)).as("item %s twice in a scan", id).isNull();
            }
            if (!page.has("LastEvaluatedKey")) {
                return found;
            }
            request.set("ExclusiveStartKey", page.get("LastEvaluatedKey"));
        }
    }

    private static String id(JsonNode item) {
        return item.path("pk").path("S").asText() + "/" + item.path("sk").path("N").asText();
    }

    private void write(int writer) {
        String partition = run + "-" + writer;
        for (int step = 0; !stopped; step++) {
            switch (step % 4) {
                case 0, 1 -> put(partition, step);
                case 2 -> increment(run + "-counter-" + step / 4 % COUNTERS, step);
                default -> {
                    if (step % 8 == 7) {
                        delete(partition, step - 7);
                    } else {
                        increment(run + "-counter-" + writer % COUNTERS, step);
                    }
                }
            }
        }
    }

    private void put(String partition, int step) {
        ObjectNode item = Measured.item(partition, step);
        items.put(id(item), Known.EITHER);
        if (send(step, "PutItem", Measured.put(item)).isOk()) {
            items.put(id(item), Known.THERE);
        }
    }

    private void delete(String partition, int step) {
        ObjectNode key = Measured.key(partition, step);
        items.put(id(key), Known.EITHER);
        if (send(step, "DeleteItem", Measured.delete(key)).isOk()) {
            items.put(id(key), Known.GONE);
        }
    }

    private void increment(String counter, int step) {
        AtomicInteger known = acknowledged.computeIfAbsent(counter, name -> new AtomicInteger());
        AtomicInteger other = unknown.computeIfAbsent(counter, name -> new AtomicInteger());
        OneTry.Answer answer = send(step, "UpdateItem", Measured.increment(counter, step));
        if (!answer.isOk()) {
            other.incrementAndGet();
            return;
        }
        known.incrementAndGet();
        int value = answer.body().path("Attributes").path("count").path("N").asInt();
        if (!told.computeIfAbsent(counter, name -> ConcurrentHashMap.newKeySet()).add(value)) {
            broken.add("the value " + value + " of " + counter + " was told twice");
        }
    }

    private OneTry.Answer send(int step, String operation, ObjectNode body) {
        OneTry.Answer answer = client.call(servers.apply(step), operation, body);
        if (answer.isOk()) {
            writes.incrementAndGet();
        } else if (answer.mayPass()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        } else if (!stopped) {
            broken.add(operation + " was answered " + answer);
        }
        return answer;
    }
}
