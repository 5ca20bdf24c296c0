package dev.tidemark.launcher.demo;

import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.LagReading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at the lag of a table's global indexes, and remembers the most seen. Not thread-safe. */
final class LagWatch {

    private static final String ACTIVE = "ACTIVE";

    private final Endpoint server;
    private final String table;
    private final Map<String, Long> most = new HashMap<>();

    LagWatch(Endpoint server, String table) {
        this.server = server;
        this.table = table;
    }

    /** Looks once; what an index that is not ACTIVE lacks is not remembered. */
    List<LagReading> look() {
        List<LagReading> seen =
                LagReading.all(server).stream().filter(lag -> lag.table().equals(table)).toList();
        seen.stream()
                .filter(lag -> lag.status().equals(ACTIVE))
                .forEach(
                        reading ->
                                reading.lag()
                                        .ifPresent(
                                                lag ->
                                                        most.merge(
                                                                reading.index(),
                                                                lag.changes(),
                                                                Math::max)));
        return seen;
    }

    /** Returns how many changes the index was behind when it was most behind. */
    long mostChanges(String index) {
        return most.getOrDefault(index, 0L);
    }

    /** Returns once no index lacks a change. */
    void awaitCaughtUp() {
        Polling.until(
                () ->
                        look().stream()
                                .allMatch(
                                        lag ->
                                                lag.status().equals(ACTIVE)
                                                        && lag.lag()
                                                                .filter(
                                                                        known ->
                                                                                known.changes()
                                                                                        == 0)
                                                                .isPresent()));
    }
}
