package dev.tidemark.launcher.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.faults.Measured;
import dev.tidemark.launcher.faults.OneTry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Readers that ask for the same items over and over, by their keys, by their partition keys and by
 * a global index. The items never change, so an answer either holds all of them or is a fault that
 * may pass.
 */
final class KnownItems implements AutoCloseable {

    private static final int PARTITION_KEYS = 16;
    private static final int SORT_KEYS = 4;
    private static final String GROUP = "known";
    private static final long PAUSE_NANOS = 2_000_000;
    private static final Duration STOP = Duration.ofSeconds(60);

    private final OneTry client = new OneTry();
    private final Supplier<URI> server;
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger right = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** When the answer for each kind of read last changed from right to fault, by its name. */
    private final Map<String, Long> outSince = new ConcurrentHashMap<>();

    private volatile long longestNanos;
    private volatile boolean stopped;

    KnownItems(Supplier<URI> server) {
        this.server = server;
    }

    /** Puts the items. */
    void put() {
        for (int partition = 0; partition < PARTITION_KEYS; partition++) {
            for (int sort = 0; sort < SORT_KEYS; sort++) {
                ObjectNode item = item(partition, sort);
                await().atMost(STOP)
                        .until(
                                () ->
                                        client.call(server.get(), "PutItem", Measured.put(item))
                                                .isOk());
            }
        }
    }

    /** Starts the readers, which must find the items wherever they ask. */
    void start() {
        launch("get", step -> get(step, true));
        launch("eventual get", step -> get(step, false));
        launch("query", this::query);
        launch("index query", step -> group());
    }

    /** Returns the answers that lacked an item or were no answers to give. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    int right() {
        return right.get();
    }

    int faults() {
        return faults.get();
    }

    /** Returns the longest time in which one kind of read of one key found nothing but faults. */
    Duration longestOutage() {
        return Duration.ofNanos(longestNanos);
    }

    /** Waits until each reader has seen every key answered once more. */
    void awaitAllRight() {
        int before = right.get();
        await().atMost(STOP)
                .until(() -> outSince.isEmpty() && right.get() > before + 8 * PARTITION_KEYS);
    }

    @Override
    public void close() {
        stopped = true;
        await().atMost(STOP).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private interface Read {
        Asked at(int step);
    }

    private record Asked(String what, OneTry.Answer answer, Optional<String> flaw) {}

    private void launch(String name, Read read) {
        Thread thread =
                new Thread(
                        () -> {
                            for (int step = 0; !stopped; step++) {
                                take(name, read.at(step));
                                LockSupport.parkNanos(PAUSE_NANOS);
                            }
                        },
                        "reader-" + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void take(String name, Asked asked) {
        String kind = name + " of " + asked.what();
        if (asked.answer().isOk()) {
            asked.flaw().ifPresent(flaw -> wrong.add(kind + " lacks " + flaw));
            right.incrementAndGet();
            Long since = outSince.remove(kind);
            if (since != null) {
                long took = System.nanoTime() - since;
                synchronized (this) {
                    longestNanos = Math.max(longestNanos, took);
                }
            }
        } else {
            faults.incrementAndGet();
            outSince.putIfAbsent(kind, System.nanoTime());
            if (!asked.answer().mayPass()) {
                wrong.add(kind + " was answered " + asked.answer());
            }
        }
    }

    private Asked get(int step, boolean consistent) {
        int partition = step % PARTITION_KEYS;
        int sort = step / PARTITION_KEYS % SORT_KEYS;
        ObjectNode request =
                Measured.get(Measured.key(name(partition), sort)).put("ConsistentRead", consistent);
        OneTry.Answer answer = client.call(server.get(), "GetItem", request);
        return new Asked(
                name(partition),
                answer,
                answer.body().path("Item").equals(item(partition, sort))
                        ? Optional.empty()
                        : Optional.of("the item " + answer.body()));
    }

    private Asked query(int step) {
        int partition = step % PARTITION_KEYS;
        OneTry.Answer answer = client.call(server.get(), "Query", Measured.query(name(partition)));
        List<JsonNode> expected = new ArrayList<>();
        for (int sort = 0; sort < SORT_KEYS; sort++) {
            expected.add(item(partition, sort));
        }
        List<JsonNode> found = new ArrayList<>();
        answer.body().path("Items").forEach(found::add);
        return new Asked(
                name(partition),
                answer,
                found.equals(expected)
                        ? Optional.empty()
                        : Optional.of("some of " + expected.size() + ": " + answer.body()));
    }

    private Asked group() {
        OneTry.Answer answer = client.call(server.get(), "Query", Measured.queryGroup(GROUP));
        int count = answer.body().path("Count").asInt();
        return new Asked(
                GROUP,
                answer,
                count == PARTITION_KEYS * SORT_KEYS
                        ? Optional.empty()
                        : Optional.of("entries, has " + count));
    }

    private static ObjectNode item(int partition, int sort) {
        ObjectNode item = Measured.item(name(partition), sort);
        item.putObject("group").put("S", GROUP);
        return item;
    }

    private static String name(int partition) {
        return "known-" + partition;
    }
}
