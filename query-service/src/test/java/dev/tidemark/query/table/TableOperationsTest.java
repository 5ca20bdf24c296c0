package dev.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.InMemoryTables;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.InMemoryCatalog;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.pressure.LagBound;
import dev.tidemark.query.routing.Cluster;
import dev.tidemark.query.routing.ClusterLag;
import dev.tidemark.query.routing.LoggedProgress;
import dev.tidemark.query.routing.NodeAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the scenarios of {@code table-operations.txt}. A scenario begins with {@code == name}; its
 * lines are steps:
 *
 * <ul>
 *   <li>{@code Operation {json}}: sends a request; lines that begin with a blank go on with it
 *   <li>{@code ! Type: text}: the answer was this error; {@code ...} stands for anything
 *   <li>{@code = {json}}: the answer was this reply; {@code ...} stands for anything
 *   <li>{@code ~ word ...}: what the lifecycle does: {@code active table}, {@code active table
 *       index}, {@code forget table}, {@code forget table index}
 * </ul>
 */
class TableOperationsTest {

    private static final ProgressBoard BOARD = new ProgressBoard();
    private static final Cluster CLUSTER =
            Cluster.alone(new NodeAddress("node", "127.0.0.1", 0), BOARD);

    private final InMemoryCatalog catalog = new InMemoryCatalog();
    private final Map<String, Operation> operations =
            new TableOperations(
                            catalog,
                            new InMemoryTables(),
                            new TableSettings("here-1", 3, 10L << 30, 1),
                            InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_123L)),
                            new Random(1),
                            TableStatistics.NONE,
                            new BackfillWatch(CLUSTER),
                            ClusterLag.alone(BOARD, LoggedProgress.NONE, InstantSource.system()),
                            new BackPressure(
                                    List::of,
                                    ClusterLag.alone(
                                            BOARD, LoggedProgress.NONE, InstantSource.system()),
                                    new LagBound(OptionalLong.empty(), Optional.empty(), false),
                                    (table, index) -> "",
                                    System::nanoTime))
                    .byName();
    private String answer = "";

    static Stream<Arguments> scenarios() throws IOException {
        List<Arguments> scenarios = new ArrayList<>();
        String name = "";
        List<String> steps = new ArrayList<>();
        try (InputStream in =
                        Objects.requireNonNull(
                                TableOperationsTest.class.getResourceAsStream(
                                        "table-operations.txt"));
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line : reader.lines().toList()) {
                if (line.startsWith("== ")) {
                    if (!steps.isEmpty()) {
                        scenarios.add(Arguments.argumentSet(name, List.copyOf(steps)));
                    }
                    name = line.substring(3);
                    steps.clear();
                } else if (line.startsWith(" ")) {
                    steps.add(steps.remove(steps.size() - 1) + line.strip());
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    steps.add(line);
                }
            }
        }
        scenarios.add(Arguments.argumentSet(name, List.copyOf(steps)));
        return scenarios.stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void answersAsTheScenarioSays(List<String> steps) {
        steps.forEach(this::run);
    }

    private void run(String step) {
        String rest = step.substring(step.indexOf(' ') + 1);
        switch (step.charAt(0)) {
            case '!' -> assertMatches("error " + rest);
            case '=' -> assertMatches(rest);
            case '~' -> lifecycle(rest.split(" "));
            default -> send(step.substring(0, step.indexOf(' ')), rest);
        }
    }

    private void assertMatches(String expected) {
        int at = 0;
        String[] parts = expected.split("\\.\\.\\.", -1);
        for (int part = 0; part < parts.length; part++) {
            int found = answer.indexOf(parts[part], at);
            boolean fits = part == 0 ? found == 0 : found >= 0;
            if (!fits) {
                fail("expected: " + expected + "\n but was: " + answer);
            }
            at = found + parts[part].length();
        }
        if (!expected.endsWith("...")) {
            assertThat(answer).endsWith(parts[parts.length - 1]).hasSize(at);
        }
    }

    private void lifecycle(String... words) {
        TableDefinition table = catalog.state().table(new TableName(words[1])).orElseThrow();
        Optional<IndexName> index =
                words.length > 2 ? Optional.of(new IndexName(words[2])) : Optional.empty();
        int generation =
                index.flatMap(table::globalIndex).map(found -> found.generation()).orElse(0);
        CatalogCommand command =
                words[0].equals("active")
                        ? index.<CatalogCommand>map(
                                        name ->
                                                new CatalogCommand.MarkIndexActive(
                                                        table.id(),
                                                        name,
                                                        generation,
                                                        Optional.empty(),
                                                        false))
                                .orElseGet(() -> new CatalogCommand.MarkTableActive(table.id()))
                        : index.<CatalogCommand>map(
                                        name ->
                                                new CatalogCommand.ForgetIndex(
                                                        table.id(), name, generation))
                                .orElseGet(() -> new CatalogCommand.ForgetTable(table.id()));
        catalog.propose(command).toCompletableFuture().join();
    }

    private void send(String operation, String body) {
        Request request =
                new Request(
                        operation,
                        body.getBytes(StandardCharsets.UTF_8),
                        Headers.of(Map.of("Host", "localhost:8000")));
        try {
            Reply reply =
                    Objects.requireNonNull(operations.get(operation))
                            .execute(request)
                            .toCompletableFuture()
                            .join();
            answer = new String(reply.body(), 0, reply.length(), StandardCharsets.UTF_8);
        } catch (ApiException e) {
            answer = shown(e);
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof ApiException cause)) {
                throw e;
            }
            answer = shown(cause);
        }
    }

    private static String shown(ApiException e) {
        String type = e.error().wireName();
        return "error " + type.substring(type.indexOf('#') + 1) + ": " + e.text();
    }
}
