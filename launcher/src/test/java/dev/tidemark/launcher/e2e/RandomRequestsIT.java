package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.testsupport.reference.ReferenceTable;
import dev.tidemark.testsupport.reference.TableShape;
import dev.tidemark.testsupport.reference.View;
import dev.tidemark.testsupport.trial.ReadTrial;
import dev.tidemark.testsupport.trial.ScanTrial;
import dev.tidemark.testsupport.trial.Service;
import dev.tidemark.testsupport.trial.TrialTable;
import dev.tidemark.testsupport.trial.WriteTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node answers as the reference table does, whatever is asked of a table with as many indexes as
 * one may have: several clients write at once, each item being one client's, and what they have
 * written is then read in every way through every index. {@code -Dtidemark.seed=...} repeats a run.
 */
class RandomRequestsIT {

    private static final long SEED = Long.getLong("tidemark.seed", 20_261_201L);

    /** The partition keys of each client; all of them meet in the partitions of global indexes. */
    private static final List<List<String>> CLIENTS =
            List.of(
                    List.of("large", "p0", "p1"),
                    List.of("q0", "q1", "\u00e9"),
                    List.of("r\u0000", "r\u0000a", "r"),
                    List.of("\ud83d\ude00", "\uffff", "s"));

    /**
     * How much is tried.
     *
     * @param rounds how often clients write, and what they wrote is read
     * @param writes how many requests each client makes in a round
     * @param queries how many queries of each index, each to its end
     * @param scans how many scans of each index, each to its end
     */
    private record Extent(int rounds, int writes, int queries, int scans) {}

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Set<String> WRITES =
            Set.of("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem");

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS.size());
    private final Map<String, String> settings =
            Map.of(
                    "index.read-wait", "25s",
                    "write.timeout", "40s",
                    "http.request-timeout", "50s");

    @Test
    void everyAnswerIsThatOfTheReferenceTable() throws Exception {
        run(SEED, new Extent(2, 800, 10, 2), "Trial");
    }

    @Test
    @Tag("slow")
    void everyAnswerIsThatOfTheReferenceTableForLong() throws Exception {
        long seed = Long.getLong("tidemark.seed", System.nanoTime());
        run(seed, new Extent(12, 4_000, 40, 6), "LongTrial");
    }

    private void run(long seed, Extent extent, String name) throws Exception {
        ReferenceTable reference = new ReferenceTable(TrialTable.named(name));
        try (SharedNode.RunningNode node = SharedNode.RunningNode.start(settings)) {
            Wire wire = node.wire();
            wire.call("CreateTable", TrialTable.creation(reference.shape())).ok();
            awaitActive(wire, reference.shape());
            Service service = (operation, body) -> call(wire, operation, body);
            List<WriteTrial> writers = new ArrayList<>();
            for (List<String> partitionKeys : CLIENTS) {
                writers.add(
                        new WriteTrial(service, reference, partitionKeys, seed + writers.size()));
            }
            writers.get(0).putLarge(24, 40_000);
            long reads = 0;
            for (int round = 0; round < extent.rounds(); round++) {
                all(writers, writer -> run(writer, extent));
                reads += read(service, reference, seed + round, extent);
            }
            long writes = writers.stream().mapToLong(WriteTrial::requests).sum();
            assertThat(writes).isGreaterThan((long) extent.rounds() * extent.writes());
            assertThat(reads).isGreaterThan((long) extent.rounds() * extent.queries());
        } finally {
            clients.shutdownNow();
        }
    }

    /** Two dozen apps begin at once: that may take its time. */
    private static void awaitActive(Wire wire, TableShape table) {
        await().atMost(PATIENCE)
                .until(
                        () -> wire.describe(table.name()).path("TableStatus").asText(),
                        "ACTIVE"::equals);
        wire.awaitActive(table.name());
    }

    /** Sends a request; a read is tried again while the server says that it may be. */
    private static Service.Reply call(Wire wire, String operation, String body) {
        if (WRITES.contains(operation)) {
            return once(wire, operation, body);
        }
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .until(() -> once(wire, operation, body), reply -> reply.status() < 500);
    }

    private static Service.Reply once(Wire wire, String operation, String body) {
        Wire.Answer answer = wire.call(operation, body);
        return new Service.Reply(answer.status(), answer.body().toString());
    }

    private static long run(WriteTrial writer, Extent extent) {
        writer.run(extent.writes());
        return writer.requests();
    }

    private long read(Service service, ReferenceTable reference, long seed, Extent extent)
            throws Exception {
        TableShape shape = reference.shape();
        return all(
                shape.all(),
                index -> read(service, reference, reference.view(index), seed, extent));
    }

    private static long read(
            Service service, ReferenceTable reference, View view, long seed, Extent extent) {
        ReadTrial queries = new ReadTrial(service, reference, view, seed);
        queries.run(extent.queries());
        ScanTrial scans = new ScanTrial(service, reference, view, seed);
        scans.run(extent.scans());
        return queries.requests() + scans.requests();
    }

    private interface Task<T> {
        long run(T subject);
    }

    /** Runs a task for each of several subjects, as many at once as there are clients. */
    private <T> long all(List<T> subjects, Task<T> task) throws Exception {
        List<Callable<Long>> tasks = new ArrayList<>();
        subjects.forEach(subject -> tasks.add(() -> task.run(subject)));
        long sum = 0;
        for (Future<Long> done : clients.invokeAll(tasks)) {
            try {
                sum += done.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error disagreement) {
                    throw disagreement;
                }
                throw e;
            }
        }
        return sum;
    }
}
