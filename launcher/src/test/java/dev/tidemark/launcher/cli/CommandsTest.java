package dev.tidemark.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.FakeServer;
import dev.tidemark.launcher.client.FakeServer.Reply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {

    private static final String TABLE = "Readings";

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer(TABLE, List.of("sensor", "time"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(String... arguments) {
        return RootCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private int importInto(Path file, String... more) {
        String[] arguments = new String[more.length + 8];
        List<String> first =
                List.of(
                        "import",
                        file.toString(),
                        "--table",
                        TABLE,
                        "--endpoint",
                        server.uri().toString(),
                        "--refused",
                        refusedFile().toString());
        first.toArray(arguments);
        System.arraycopy(more, 0, arguments, first.size(), more.length);
        return run(arguments);
    }

    private Path refusedFile() {
        return folder.resolve("refused.jsonl");
    }

    @Test
    void helpOfEveryCommandShowsExamples() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Examples:");
        for (String command : new CommandLine(new RootCommand()).getSubcommands().keySet()) {
            out.getBuffer().setLength(0);
            assertThat(run(command, "--help")).as(command).isZero();
            assertThat(out.toString())
                    .contains("Usage: tidemark " + command)
                    .containsPattern("Examples?:\\R  tidemark " + command);
        }
    }

    @Test
    void withoutACommandHelpIsShown() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("Usage: tidemark").contains("import");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "--colour",
                "serv",
                "lag --jsn",
                "import",
                "import f.csv",
                "import f.csv --table T --batches x",
                "version 1"
            })
    void wrongArgumentsExitWithTwoAndSayWhy(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString())
                .containsPattern("Usage: tidemark|Did you mean: |Possible solutions: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void versionNamesTheProgramAndItsJava() {
        assertThat(run("version")).isZero();
        assertThat(out.toString())
                .startsWith("tidemark ")
                .contains("Java " + Runtime.version().feature());
    }

    @Test
    void importWritesEveryRowAndExitsWithZero() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "time,value\n1,2.50\n2,3\n");
        assertThat(importInto(file, "--set", "sensor={file}", "--number", "value")).isZero();
        assertThat(out.toString()).contains("a.csv: 2 rows written, 0 refused, in ");
        assertThat(server.items())
                .map(Object::toString)
                .containsExactly(
                        "{\"time\":{\"S\":\"1\"},\"value\":{\"N\":\"2.5\"},\"sensor\":{\"S\":\"a\"}}",
                        "{\"time\":{\"S\":\"2\"},\"value\":{\"N\":\"3\"},\"sensor\":{\"S\":\"a\"}}");
        assertThat(refusedFile()).doesNotExist();
        assertThat(Path.of("a.csv." + TABLE + ".import-progress")).doesNotExist();
    }

    @Test
    void importKeepsRefusedRowsWithLinesAndReasonsAndExitsWithOne() throws IOException {
        server.refuse(item -> item.path("time").path("S").asText().equals("2"));
        Path first = Files.writeString(folder.resolve("a.csv"), "time,value\n1,2\n2,3\n3,x\n4\n");
        Path second = Files.writeString(folder.resolve("b.csv"), "time,value\n1,y\n");
        assertThat(importInto(first, second.toString(), "--set", "sensor=s", "--number", "value"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("a.csv: 1 rows written, 3 refused")
                .contains("b.csv: 0 rows written, 1 refused")
                .contains("with line numbers and reasons: " + refusedFile());
        List<String> lines = Files.readAllLines(refusedFile());
        assertThat(lines).hasSize(4);
        assertThat(Endpoint.JSON.readTree(lines.get(0)).path("line").asInt()).isEqualTo(3);
        assertThat(lines.get(0)).contains("The test refuses it");
        assertThat(lines.get(1)).contains("\"line\":4").contains("column value: ");
        assertThat(lines.get(2)).contains("\"line\":5").contains("has 1 values");
        assertThat(lines.get(3)).contains("b.csv").contains("\"line\":2");
    }

    @Test
    void anImportThatStoppedGoesOnAndStillCountsWhatWasRefusedBefore() throws IOException {
        // Given: the second batch fails for good
        StringBuilder text = new StringBuilder("time\n\n");
        text.append("bad,row\n");
        for (int row = 0; row < 60; row++) {
            text.append(row).append('\n');
        }
        Path file = Files.writeString(folder.resolve("resumed.csv"), text);
        server.next("BatchWriteItem", body -> Optional.empty());
        server.next(
                "BatchWriteItem",
                body -> Optional.of(Reply.error(400, "AccessDeniedException", "not now")));
        String[] options = {"--set", "sensor=s", "--batches", "1"};
        assertThat(importInto(file, options)).isEqualTo(2);
        assertThat(err.toString()).contains("tidemark: AccessDeniedException: not now");
        assertThat(out.toString())
                .contains("stopped after line 28, 25 rows written; the same command goes on");
        assertThat(Files.readAllLines(refusedFile())).hasSize(1);

        // When
        int code = importInto(file, options);

        // Then
        assertThat(code).isEqualTo(1);
        assertThat(out.toString()).contains("an earlier run got to line 28; going on from there");
        assertThat(server.writes()).hasSize(60);
        assertThat(Files.readAllLines(refusedFile()))
                .hasSize(1)
                .first()
                .asString()
                .contains("\"line\":3");
        assertThat(Path.of("resumed.csv." + TABLE + ".import-progress")).doesNotExist();
    }

    @Test
    void whatCannotBeImportedIsToldWithoutAStackTrace() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.csv"), "");
        assertThat(importInto(folder.resolve("none.csv"))).isEqualTo(2);
        assertThat(importInto(empty)).isEqualTo(2);
        assertThat(run("import", empty.toString(), "--table", "Other", "--endpoint", uri()))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "tidemark: there is no readable file " + folder.resolve("none.csv"),
                        "tidemark: " + empty + " is empty: its first line must name the columns",
                        "tidemark: ResourceNotFoundException: Requested resource not found");
    }

    private String uri() {
        return server.uri().toString();
    }

    @Test
    void aServerThatIsNotThereIsToldAtOnce() {
        String uri = uri();
        server.close();
        assertThat(run("lag", "--endpoint", uri)).isEqualTo(2);
        assertThat(err.toString()).startsWith("tidemark: Unreachable: No server answers at " + uri);
    }

    private void lagOfTwoTables() {
        server.lag(
                "{\"tables\":[{\"table\":\"A\",\"indexes\":["
                        + "{\"index\":\"x\",\"status\":\"ACTIVE\",\"changes\":0,\"ageMillis\":0},"
                        + "{\"index\":\"y\",\"status\":\"CREATING\",\"changes\":12345,\"ageMillis\":61500}]},"
                        + "{\"table\":\"B\",\"indexes\":[{\"index\":\"z\",\"status\":\"ACTIVE\"}]}]}");
    }

    @Test
    void lagPrintsATable() {
        lagOfTwoTables();
        assertThat(run("lag", "--endpoint", uri())).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "TABLE INDEX STATUS CHANGES AGE",
                        "A x ACTIVE 0 0 ms",
                        "A y CREATING 12,345 61.5 s",
                        "B z ACTIVE unknown unknown");
    }

    @Test
    void lagIsToldByPartitionOnRequest() {
        server.lag(
                "{\"tables\":[{\"table\":\"A\",\"indexes\":[{\"index\":\"x\",\"status\":\"ACTIVE\","
                        + "\"changes\":7,\"ageMillis\":20,\"partitions\":["
                        + "{\"partition\":0,\"changes\":0,\"ageMillis\":0},"
                        + "{\"partition\":1,\"changes\":7,\"ageMillis\":20}]}]}]}");
        assertThat(run("lag", "--partitions", "--endpoint", uri())).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "TABLE INDEX STATUS CHANGES AGE",
                        "A x ACTIVE 7 20 ms",
                        " partition 0 0 0 ms",
                        " partition 1 7 20 ms");
    }

    @Test
    void lagOfOneTableLeavesTheOthersOut() {
        lagOfTwoTables();
        assertThat(run("lag", "B", "--endpoint", uri())).isZero();
        assertThat(out.toString().lines()).hasSize(2);
    }

    @Test
    void lagAsJsonIsOneDocument() throws IOException {
        lagOfTwoTables();
        assertThat(run("lag", "--json", "--endpoint", uri())).isZero();
        assertThat(out.toString().lines()).hasSize(1);
        assertThat(Endpoint.JSON.readTree(out.toString()).path("tables")).hasSize(2);
        out.getBuffer().setLength(0);
        assertThat(run("lag", "A", "--json", "--endpoint", uri())).isZero();
        assertThat(Endpoint.JSON.readTree(out.toString()).path("indexes")).hasSize(2);
    }

    @Test
    void lagOfAnUnknownTableExitsWithTwo() {
        lagOfTwoTables();
        assertThat(run("lag", "C", "--endpoint", uri())).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("tidemark: there is no table C");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aServerThatKnowsNoLagIsToldApart() {
        server.lag("");
        assertThat(run("lag", "--endpoint", uri())).isEqualTo(2);
        assertThat(err.toString()).contains("answers 404 to /lag: is it a Tidemark?");
    }
}
