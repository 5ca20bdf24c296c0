package dev.tidemark.launcher.life;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.demo.IndexComparison;
import dev.tidemark.launcher.faults.ServerProcess;
import dev.tidemark.launcher.life.Living.Shape;
import dev.tidemark.launcher.life.Plan.Event;
import dev.tidemark.launcher.life.Plan.Step;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whatever happens to a table, in whatever order: once it rests, every index, and every generation
 * one can go back to, equals the projection of the table, entry for entry, and each acknowledged
 * write was applied once. {@code -Dtidemark.seed=...} repeats a plan.
 */
class RandomHistoryIT {

    private static final Logger LOGGER = LoggerFactory.getLogger(RandomHistoryIT.class);
    private static final int WRITERS = 3;

    @TempDir Path folder;

    private volatile ServerProcess server;

    @AfterEach
    void killTheServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyIndexEqualsTheTableAfterAnyHistory() {
        run(Plan.of(Long.getLong("tidemark.seed", 20_261_201L), 2, 6));
    }

    @Test
    @Tag("slow")
    void everyIndexEqualsTheTableAfterLongHistories() {
        long seed = Long.getLong("tidemark.seed", System.nanoTime());
        for (int history = 0; history < 6; history++) {
            run(Plan.of(seed + history, 6, 10));
            server.close();
        }
    }

    private void run(Plan plan) {
        LOGGER.warn("-Dtidemark.seed={}", plan.seed());
        server =
                ServerProcess.start(
                        folder.resolve(Long.toString(plan.seed())),
                        "--set",
                        "index.backfill-rate=200",
                        "--set",
                        "index.online-operations=3");
        Living.create(server.endpoint(), Map.of("first", Shape.BY_A, "fixed", Shape.BY_B_AND_C));
        try (HistoryLoad load = HistoryLoad.start(plan.seed(), WRITERS, () -> server.uri())) {
            for (Step step : plan.steps()) {
                if (step.rested()) {
                    Living.finish(server.endpoint());
                }
                load.awaitWrites(step.writes());
                take(step);
            }
            load.awaitWrites(50);
            load.stop();
            Endpoint endpoint = server.endpoint();
            Living.settle(endpoint);
            load.verify(endpoint);
            IndexComparison.Result serving = Living.compare(endpoint);
            LOGGER.warn("after {} writes: {}", load.acknowledged(), serving);
            for (JsonNode generation : Living.generations(endpoint)) {
                if (generation.path("Purpose").asText().equals("PREVIOUS")) {
                    endpoint.call(
                            "Tidemark.RollBackIndex",
                            Living.named(generation.path("IndexName").asText()));
                }
            }
            Living.settle(endpoint);
            LOGGER.warn("and the generations before: {}", Living.compare(endpoint));
        }
    }

    private void take(Step step) {
        if (step.event() == Event.KILL) {
            server.kill();
            server = server.startAgain();
            LOGGER.warn("{}: ready again in {}", step, server.startTime());
            return;
        }
        try {
            ask(step);
            LOGGER.warn("{}", step);
        } catch (EndpointException e) {
            assertThat(e.isRetryable()).as(step + ": " + e.getMessage()).isFalse();
            LOGGER.warn("{}: refused: {}", step, e.getMessage());
        }
    }

    private void ask(Step step) {
        Endpoint endpoint = server.endpoint();
        String index = step.index();
        switch (step.event()) {
            case ADD -> endpoint.call("UpdateTable", Living.adding(index, step.shape()));
            case DROP -> endpoint.call("UpdateTable", Living.dropping(index));
            case ALTER ->
                    endpoint.call("Tidemark.AlterIndex", Living.altering(index, step.shape()));
            case ROLL_BACK -> endpoint.call("Tidemark.RollBackIndex", Living.named(index));
            case REBUILD -> endpoint.call("Tidemark.RebuildIndex", Living.named(index));
            case PAUSE ->
                    endpoint.call(
                            "Tidemark.UpdateBackfill", Living.named(index).put("Paused", true));
            case RESUME ->
                    endpoint.call(
                            "Tidemark.UpdateBackfill", Living.named(index).put("Paused", false));
            case LIMIT ->
                    endpoint.call(
                            "Tidemark.UpdateBackfill", Living.named(index).put("RateLimit", 40));
            case KILL -> throw new IllegalArgumentException("Nothing to ask: " + step);
        }
    }
}
